/** Step 34: how often the index had nothing close to a question, and such questions. */
import type { Step } from './step.ts';

export const outcomesOfSearches: Step = {
  name: 'outcomes of searches',
  sql: `
CREATE TABLE outcome_days (
  key_id  INTEGER NOT NULL REFERENCES api_keys (id),
  day     TEXT NOT NULL,
  outcome TEXT NOT NULL,
  calls   INTEGER NOT NULL,
  PRIMARY KEY (key_id, day, outcome)
) STRICT, WITHOUT ROWID;
CREATE INDEX outcome_days_by_day ON outcome_days (day);

CREATE TABLE kept_questions (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  text        TEXT NOT NULL,
  outcome     TEXT NOT NULL,
  asked_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX kept_questions_by_customer ON kept_questions (customer_id);
CREATE INDEX kept_questions_by_time ON kept_questions (asked_at);
`,
};
