/**
 * Step 13: the steps that a file has seen, one row each. Earlier programs did not record the times
 * of the steps before it. `PRAGMA user_version` stays the number that programs compare, because
 * programs from before this step read it too.
 */
import type { Step } from './step.ts';

/** The first step with a row of its own. */
export const FIRST_RECORDED = 13;

export const recordOfMigrations: Step = {
  name: 'record of migrations',
  sql: `
CREATE TABLE migrations (
  number     INTEGER PRIMARY KEY,
  name       TEXT NOT NULL,
  applied_at INTEGER                  -- milliseconds since 1970, UTC; NULL: not known
) STRICT;
INSERT INTO migrations (number, name) VALUES
  (1, 'documents, full text and vectors'),
  (2, 'customers, keys and ledger'),
  (3, 'terms and inverted lists'),
  (4, 'responses of fallback lanes'),
  (5, 'payments'),
  (6, 'passwords, sessions and usage by day'),
  (7, 'records of sources'),
  (8, 'checkpoints of builds'),
  (9, 'postings'),
  (10, 'known browsers'),
  (11, 'lanes that customers allow'),
  (12, 'state of the providers of lanes');
`,
};
