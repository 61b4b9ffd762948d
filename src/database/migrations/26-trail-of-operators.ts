/** Step 26: what operators changed. */
import type { Step } from './step.ts';

export const trailOfOperators: Step = {
  name: 'trail of operators',
  sql: `
CREATE TABLE operator_actions (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  at          INTEGER NOT NULL,
  actor       TEXT NOT NULL,
  action      TEXT NOT NULL,
  customer_id INTEGER REFERENCES customers (id),
  subject     TEXT,
  details     TEXT,
  submission  TEXT UNIQUE
) STRICT;
CREATE INDEX operator_actions_by_customer ON operator_actions (customer_id, id);
CREATE TRIGGER operator_actions_no_update BEFORE UPDATE ON operator_actions
BEGIN SELECT RAISE(ABORT, 'actions of operators are never changed'); END;
CREATE TRIGGER operator_actions_no_delete BEFORE DELETE ON operator_actions
BEGIN SELECT RAISE(ABORT, 'actions of operators are never deleted'); END;
CREATE TRIGGER operator_actions_no_replace BEFORE INSERT ON operator_actions
WHEN EXISTS (SELECT 1 FROM operator_actions WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM operator_actions WHERE submission = NEW.submission)
BEGIN SELECT RAISE(ABORT, 'actions of operators are never replaced'); END;
`,
};
