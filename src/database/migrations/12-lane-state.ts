/**
 * Step 12: how much `lane_answers` holds, kept by triggers because counting it takes long, and what is
 * known of the providers of lanes.
 */
import type { Step } from './step.ts';

export const laneState: Step = {
  name: 'state of the providers of lanes',
  sql: `
CREATE TABLE lane_answer_totals (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  entries  INTEGER NOT NULL,
  bytes    INTEGER NOT NULL
) STRICT;
INSERT INTO lane_answer_totals SELECT 1, count(*), coalesce(sum(bytes), 0) FROM lane_answers;
CREATE TRIGGER lane_answers_added AFTER INSERT ON lane_answers BEGIN
  UPDATE lane_answer_totals SET entries = entries + 1, bytes = bytes + new.bytes WHERE id = 1;
END;
CREATE TRIGGER lane_answers_changed AFTER UPDATE OF bytes ON lane_answers BEGIN
  UPDATE lane_answer_totals SET bytes = bytes - old.bytes + new.bytes WHERE id = 1;
END;
CREATE TRIGGER lane_answers_dropped AFTER DELETE ON lane_answers BEGIN
  UPDATE lane_answer_totals SET entries = entries - 1, bytes = bytes - old.bytes WHERE id = 1;
END;
CREATE TABLE lane_pauses (
  subject  TEXT PRIMARY KEY,       -- a provider, or its key, and a digest of our account there
  reason   TEXT NOT NULL,
  until    INTEGER NOT NULL,       -- milliseconds since 1970, UTC, as the other times
  in_a_row INTEGER NOT NULL        -- those before it, without an answer between them
) STRICT;
CREATE TABLE lane_turns (
  provider TEXT PRIMARY KEY,
  next_at  INTEGER NOT NULL,       -- when the next request may start
  taken_by TEXT NOT NULL           -- the process that sent the last one
) STRICT;
CREATE TABLE lane_requests (
  provider TEXT PRIMARY KEY,
  day      INTEGER NOT NULL,       -- days since 1970, UTC
  requests INTEGER NOT NULL        -- sent on that day
) STRICT;
`,
};
