/** Step 33: audits that operators started on their pages, with what they found. */
import type { Step } from './step.ts';

export const keptAudits: Step = {
  name: 'kept audits',
  sql: `
CREATE TABLE ledger_audits (
  id               INTEGER PRIMARY KEY AUTOINCREMENT,
  started_at       INTEGER NOT NULL,
  ended_at         INTEGER NOT NULL,
  actor            TEXT NOT NULL,
  customers        INTEGER NOT NULL,
  entries          INTEGER NOT NULL,
  held             INTEGER NOT NULL,
  difference_count INTEGER NOT NULL,
  differences      TEXT NOT NULL
) STRICT;
`,
};
