/** Step 8: how far an interrupted build has come. */
import type { Step } from './step.ts';

export const buildCheckpoints: Step = {
  name: 'checkpoints of builds',
  sql: `
CREATE TABLE build_checkpoints (
  file     INTEGER PRIMARY KEY REFERENCES source_files (number),
  identity BLOB NOT NULL,     -- tells whether the file is still the same
  entries  INTEGER NOT NULL,  -- those from its start that are dealt with
  is_done  INTEGER NOT NULL,  -- 1: all of them
  revision INTEGER NOT NULL   -- the index's, with these entries
);
`,
};
