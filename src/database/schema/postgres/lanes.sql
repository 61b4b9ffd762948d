-- What the fallback lanes of all nodes share. Tables and columns have the meaning that ../sqlite/lanes.sql
-- describes.

-- Cached responses. After a crash of the database, providers are asked again.
CREATE UNLOGGED TABLE lane_answers (
  key       text PRIMARY KEY,
  answer    text NOT NULL,
  bytes     bigint NOT NULL,
  stored_at bigint NOT NULL
);
CREATE INDEX lane_answers_by_age ON lane_answers (stored_at, key);

CREATE TABLE lane_pauses (
  subject  text PRIMARY KEY,
  reason   text NOT NULL,
  until    bigint NOT NULL,
  in_a_row bigint NOT NULL
);

CREATE TABLE lane_requests (
  provider text PRIMARY KEY,
  day      bigint NOT NULL,
  requests bigint NOT NULL
);

-- Leases go by the clock of the database. A lease has a number for each time that it was acquired, so
-- that a release which comes late ends nothing else.
CREATE TABLE lane_turns (
  provider text PRIMARY KEY,
  next_at  timestamptz NOT NULL,
  taken_by uuid NOT NULL,
  turn     uuid NOT NULL
);

-- Returns 0 if the lease was acquired, and otherwise how many milliseconds to wait. No lease lasts an
-- hour: a longer one was written before the clock was set back.
CREATE FUNCTION take_lane_turn(whom text, node uuid, this_turn uuid, hold_ms bigint)
RETURNS double precision LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO lane_turns AS t
  VALUES (whom, clock_timestamp() + hold_ms * interval '1 ms', node, this_turn)
  ON CONFLICT (provider) DO UPDATE
    SET next_at = excluded.next_at, taken_by = excluded.taken_by, turn = excluded.turn
    WHERE t.taken_by = node OR t.next_at <= clock_timestamp()
      OR t.next_at > clock_timestamp() + interval '1 hour';
  IF FOUND THEN
    RETURN 0;
  END IF;
  RETURN (SELECT greatest(1, extract(epoch FROM next_at - clock_timestamp()) * 1000)
    FROM lane_turns WHERE provider = whom);
END $$;
