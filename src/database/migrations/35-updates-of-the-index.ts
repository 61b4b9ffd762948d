/** Step 35: updates of the index that operators started. */
import type { Step } from './step.ts';

export const updatesOfTheIndex: Step = {
  name: 'updates of the index',
  sql: `
CREATE TABLE index_updates (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  path       TEXT NOT NULL,
  actor      TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at   INTEGER,
  outcome    TEXT CHECK (outcome IN ('done', 'stopped', 'failed')),
  message    TEXT
) STRICT;
`,
};
