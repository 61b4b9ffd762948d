/** Step 29: whether the accounts are here, or have moved to another database. */
import type { Step } from './step.ts';

export const placeOfAccounts: Step = {
  name: 'place of accounts',
  sql: `
CREATE TABLE account_place (
  id      INTEGER PRIMARY KEY CHECK (id = 1),
  state   TEXT NOT NULL CHECK (state IN ('here', 'away')),
  move    TEXT,
  pending TEXT,
  other   TEXT
) STRICT;
INSERT INTO account_place (id, state) VALUES (1, 'here');
CREATE TRIGGER ledger_entries_moved BEFORE INSERT ON ledger_entries
WHEN (SELECT state FROM account_place) = 'away'
BEGIN SELECT RAISE(ABORT, 'the accounts have moved to another database'); END;
CREATE TRIGGER operator_actions_moved BEFORE INSERT ON operator_actions
WHEN (SELECT state FROM account_place) = 'away'
BEGIN SELECT RAISE(ABORT, 'the accounts have moved to another database'); END;
`,
};
