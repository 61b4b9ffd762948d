-- What fallback lanes keep, as it is now. Nothing else refers to it, and all of it may be emptied.
-- A provider that asked for a pause is then asked before the pause is over.
-- All times are milliseconds since 1970, UTC.

-- Responses of providers, kept for a while.
CREATE TABLE lane_answers (
  key       TEXT PRIMARY KEY,           -- SHA-256 of provider and question, in hexadecimal
  answer    TEXT NOT NULL,              -- the response
  bytes     INTEGER NOT NULL,
  stored_at INTEGER NOT NULL
) STRICT;
CREATE INDEX lane_answers_by_age ON lane_answers (stored_at, bytes);

-- How much `lane_answers` holds. Triggers keep it, because counting a large table takes long.
CREATE TABLE lane_answer_totals (
  id      INTEGER PRIMARY KEY CHECK (id = 1),
  entries INTEGER NOT NULL,
  bytes   INTEGER NOT NULL
) STRICT;
INSERT INTO lane_answer_totals VALUES (1, 0, 0);
CREATE TRIGGER lane_answers_added AFTER INSERT ON lane_answers BEGIN
  UPDATE lane_answer_totals SET entries = entries + 1, bytes = bytes + new.bytes WHERE id = 1;
END;
CREATE TRIGGER lane_answers_changed AFTER UPDATE OF bytes ON lane_answers BEGIN
  UPDATE lane_answer_totals SET bytes = bytes - old.bytes + new.bytes WHERE id = 1;
END;
CREATE TRIGGER lane_answers_dropped AFTER DELETE ON lane_answers BEGIN
  UPDATE lane_answer_totals SET entries = entries - 1, bytes = bytes - old.bytes WHERE id = 1;
END;

-- Pauses that providers asked for, or that we made after failures.
CREATE TABLE lane_pauses (
  subject  TEXT PRIMARY KEY,            -- a provider, or its key, with a digest of our account there
  reason   TEXT NOT NULL,
  until    INTEGER NOT NULL,
  in_a_row INTEGER NOT NULL             -- pauses before it without a response between them
) STRICT;

-- Whose turn it is at a provider, so that all processes together keep its rate.
CREATE TABLE lane_turns (
  provider TEXT PRIMARY KEY,
  next_at  INTEGER NOT NULL,            -- when the next request may start
  taken_by TEXT NOT NULL                -- the process that sent the last one
) STRICT;

-- Requests to a provider on one day.
CREATE TABLE lane_requests (
  provider TEXT PRIMARY KEY,
  day      INTEGER NOT NULL,            -- days since 1970, UTC
  requests INTEGER NOT NULL
) STRICT;
