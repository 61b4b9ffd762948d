/** Step 4: what fallback lanes answered. */
import type { Step } from './step.ts';

export const laneResponses: Step = {
  name: 'responses of fallback lanes',
  sql: `
CREATE TABLE lane_answers (
  key        TEXT PRIMARY KEY,        -- SHA-256 of provider and question, in hexadecimal
  answer     TEXT NOT NULL,
  bytes      INTEGER NOT NULL,
  stored_at  INTEGER NOT NULL         -- milliseconds since 1970, UTC
) STRICT;
CREATE INDEX lane_answers_by_age ON lane_answers (stored_at, bytes);
`,
};
