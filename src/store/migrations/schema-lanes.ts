/** The table of what fallback lanes answered. Nothing else depends on it: it may be emptied. */
export const laneTables = `
CREATE TABLE lane_answers (
  key        TEXT PRIMARY KEY,        -- SHA-256 of provider and question, in hexadecimal
  answer     TEXT NOT NULL,
  bytes      INTEGER NOT NULL,
  stored_at  INTEGER NOT NULL         -- milliseconds since 1970, UTC
) STRICT;
CREATE INDEX lane_answers_by_age ON lane_answers (stored_at, bytes);
`;

/**
 * How much `lane_answers` holds, kept by triggers, as counting it takes as long as it is large; and
 * what is known of the lanes' providers. All of it may be emptied too, though a provider that asked
 * for a pause is then asked before it is over.
 */
export const laneRecordTables = `
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
`;
