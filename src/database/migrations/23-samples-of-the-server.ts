/** Step 23: the numbers of the server over time. */
import type { Step } from './step.ts';

export const samplesOfTheServer: Step = {
  name: 'samples of the server',
  sql: `
CREATE TABLE server_samples (
  ended_at INTEGER PRIMARY KEY,
  numbers  TEXT NOT NULL
) STRICT;
`,
};
