-- The current schema of what fallback lanes keep. Nothing else refers to these tables, and all of them
-- may be emptied. If they are, lanes forget backoffs and may send requests too early.
--
-- The names say answers, pauses and turns. The code says responses, backoffs and leases.
-- All times are milliseconds since 1970, UTC.

-- Cached responses of providers.
CREATE TABLE lane_answers (
  key       TEXT PRIMARY KEY,           -- SHA-256 of provider and question, in hexadecimal
  answer    TEXT NOT NULL,              -- the response
  bytes     INTEGER NOT NULL,
  stored_at INTEGER NOT NULL
) STRICT;
CREATE INDEX lane_answers_by_age ON lane_answers (stored_at, bytes);

-- The size of `lane_answers`. Triggers update it, because counting a large table takes a long time.
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

-- Backoffs that providers asked for, or that we started after failures.
CREATE TABLE lane_pauses (
  subject  TEXT PRIMARY KEY,            -- a provider or its key, with a digest of our account
  reason   TEXT NOT NULL,
  until    INTEGER NOT NULL,
  in_a_row INTEGER NOT NULL             -- previous backoffs without a response in between
) STRICT;

-- Leases of providers. A lease lets one process at a time send requests, so that all processes
-- together stay within the provider's rate limit.
CREATE TABLE lane_turns (
  provider TEXT PRIMARY KEY,
  next_at  INTEGER NOT NULL,            -- when another process may take the lease
  taken_by TEXT NOT NULL                -- the process that took the lease last
) STRICT;

-- The number of requests to a provider on one day.
CREATE TABLE lane_requests (
  provider TEXT PRIMARY KEY,
  day      INTEGER NOT NULL,            -- days since 1970, UTC
  requests INTEGER NOT NULL
) STRICT;
