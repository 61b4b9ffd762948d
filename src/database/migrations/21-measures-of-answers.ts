/** Step 21: latency and lanes of answered calls, counted by key and day. */
import type { Step } from './step.ts';

export const measuresOfAnswers: Step = {
  name: 'measures of answers',
  sql: `
CREATE TABLE latency_days (
  key_id   INTEGER NOT NULL REFERENCES api_keys (id),
  day      TEXT NOT NULL,
  bound_ms INTEGER NOT NULL,
  calls    INTEGER NOT NULL,
  PRIMARY KEY (key_id, day, bound_ms)
) STRICT, WITHOUT ROWID;
CREATE INDEX latency_days_by_day ON latency_days (day);

CREATE TABLE lane_days (
  key_id INTEGER NOT NULL REFERENCES api_keys (id),
  day    TEXT NOT NULL,
  lane   TEXT NOT NULL,
  calls  INTEGER NOT NULL,
  PRIMARY KEY (key_id, day, lane)
) STRICT, WITHOUT ROWID;
CREATE INDEX lane_days_by_day ON lane_days (day);
`,
};
