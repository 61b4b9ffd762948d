/** Counts of tries, and rates that servers with different clocks share. */
export const tries = `
-- Tries that somebody has left. Nothing is lost if a crash of the database forgets them.
CREATE UNLOGGED TABLE tries (
  name_hash  bytea PRIMARY KEY,        -- SHA-256 of what is counted and of whose it is
  tries_left double precision NOT NULL,
  allowed    boolean NOT NULL,         -- whether the last try was
  updated_at bigint NOT NULL,
  full_at    bigint NOT NULL           -- all tries have returned by then
) WITH (fillfactor = 50);
CREATE INDEX tries_by_end ON tries (full_at);

-- The later of two times. Of servers with different clocks, the slow one must not set a count back,
-- for the fast one would then refill it twice. A clock that was far ahead was wrong.
CREATE FUNCTION later_time(known bigint, given bigint, window_ms bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN known > given + window_ms THEN given ELSE greatest(known, given) END
$$;

-- Refills what is left, and takes so many (or gives back, if less than 0) if there are enough.
CREATE FUNCTION take_tries(name bytea, taken bigint, tries_max bigint, window_ms bigint, time_ms bigint,
  OUT allowed boolean, OUT tries_left double precision) LANGUAGE sql AS $$
  INSERT INTO tries AS t
  VALUES (name, least(tries_max, tries_max - taken), true, time_ms, time_ms + window_ms)
  ON CONFLICT (name_hash) DO UPDATE SET (tries_left, allowed, updated_at, full_at) = (
    SELECT CASE WHEN refilled >= taken THEN least(tries_max, refilled - taken) ELSE refilled END,
      refilled >= taken, later_time(t.updated_at, time_ms, window_ms), time_ms + window_ms
    FROM least(tries_max, t.tries_left
      + greatest(0, time_ms - t.updated_at) * tries_max / window_ms::double precision) AS refilled)
  RETURNING t.allowed, t.tries_left
$$;

CREATE OR REPLACE FUNCTION take_rate(key bigint, per_minute bigint, time_ms bigint,
  OUT allowed boolean, OUT tokens double precision) LANGUAGE sql AS $$
  INSERT INTO rates AS r VALUES (key, per_minute - 1, true, time_ms)
  ON CONFLICT (key_id) DO UPDATE SET (tokens, allowed, updated_at) = (
    SELECT CASE WHEN refilled >= 1 THEN refilled - 1 ELSE refilled END, refilled >= 1,
      later_time(r.updated_at, time_ms, 60000)
    FROM least(per_minute, r.tokens + greatest(0, time_ms - r.updated_at) * per_minute / 60000.0)
      AS refilled)
  RETURNING r.allowed, r.tokens
$$;
`;
