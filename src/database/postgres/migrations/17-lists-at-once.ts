/**
 * Lists of steps with one statement for all of them, where each step had several of its own. Most of the
 * time of a step was the start of its statements, with the row of its customer locked.
 *
 * A connection keeps its plans while the tables grow. A plan for an almost empty table may read all of
 * it, so each statement names the rows of a large table by a list of their ids.
 */
export const listsAtOnce = `
-- In the order in which the calls of servers that still run lock them.
LOCK TABLE customers, open_holds, api_keys, ledger_entries, activity;

-- Functions in SQL were parsed and planned again by each statement that called them.
CREATE OR REPLACE FUNCTION day_of(time_ms bigint) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN to_char(to_timestamp(time_ms / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD');
END $$;

CREATE OR REPLACE FUNCTION take_rate(key bigint, per_minute bigint, time_ms bigint,
  OUT allowed boolean, OUT tokens double precision) LANGUAGE plpgsql AS $$
#variable_conflict use_variable
BEGIN
  INSERT INTO rates AS r VALUES (key, per_minute - 1, true, time_ms)
  ON CONFLICT (key_id) DO UPDATE SET (tokens, allowed, updated_at) = (
    SELECT CASE WHEN refilled >= 1 THEN refilled - 1 ELSE refilled END, refilled >= 1,
      later_time(r.updated_at, time_ms, 60000)
    FROM least(per_minute,
      r.tokens + greatest(0, time_ms - r.updated_at) * (per_minute / 60000::double precision))
      AS refilled)
  RETURNING r.allowed, r.tokens INTO allowed, tokens;
END $$;

DROP TRIGGER activity_of_entries ON ledger_entries;
DROP TRIGGER activity_counted ON activity;
DROP FUNCTION count_activity();

-- These rows are written together with an entry of the ledger, which has the same references and is never
-- deleted. Each check costs about as much as the row.
ALTER TABLE activity DROP CONSTRAINT activity_id_fkey, DROP CONSTRAINT activity_customer_id_fkey,
  DROP CONSTRAINT activity_key_id_fkey;
ALTER TABLE open_holds DROP CONSTRAINT open_holds_customer_id_fkey, DROP CONSTRAINT open_holds_key_id_fkey;

CREATE OR REPLACE FUNCTION note_activity() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  ids bigint[];
  kinds text[];
  changes bigint[];
BEGIN
  IF EXISTS (SELECT 1 FROM added WHERE kind IN ('hold', 'topup', 'adjust')) THEN
    INSERT INTO activity SELECT id, customer_id, key_id,
      CASE kind WHEN 'hold' THEN coalesce(call, 'search') ELSE kind END,
      CASE kind WHEN 'hold' THEN 'open' ELSE 'payment' END, credits, created_at
    FROM added WHERE kind IN ('hold', 'topup', 'adjust');
  END IF;
  SELECT array_agg(held), array_agg(kind), array_agg(credits) INTO ids, kinds, changes
  FROM (SELECT (SELECT id FROM ledger_entries AS entry
      WHERE entry.request_id = added.request_id AND entry.kind = 'hold') AS held, kind, credits
    FROM added WHERE kind IN ('settle', 'release', 'refund')) AS ended;
  IF ids IS NOT NULL THEN
    UPDATE activity SET credits = activity.credits + ended.change, outcome = CASE ended.kind
      WHEN 'settle' THEN 'charged' WHEN 'release' THEN 'free' ELSE 'refunded' END
    FROM unnest(ids, kinds, changes) AS ended (id, kind, change)
    WHERE activity.id = ended.id AND activity.id = ANY (ids);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER activity_of_entries AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION note_activity();

CREATE FUNCTION count_added_activity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO activity_days AS days
  SELECT customer_id, day_of(created_at), coalesce(key_id, 0), kind, outcome, count(*), sum(credits)
  FROM added GROUP BY 1, 2, 3, 4, 5
  ON CONFLICT (customer_id, day, key_id, kind, outcome) DO UPDATE
    SET lines = days.lines + excluded.lines, credits = days.credits + excluded.credits;
  RETURN NULL;
END $$;
CREATE TRIGGER activity_added AFTER INSERT ON activity REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_added_activity();

CREATE FUNCTION count_changed_activity() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO activity_days AS days
  SELECT customer_id, day_of(created_at), coalesce(key_id, 0), kind, outcome, sum(lines), sum(credits)
  FROM (SELECT customer_id, created_at, key_id, kind, outcome, -1 AS lines, -credits AS credits FROM former
    UNION ALL SELECT customer_id, created_at, key_id, kind, outcome, 1, credits FROM changed) AS moved
  GROUP BY 1, 2, 3, 4, 5
  ON CONFLICT (customer_id, day, key_id, kind, outcome) DO UPDATE
    SET lines = days.lines + excluded.lines, credits = days.credits + excluded.credits;
  RETURN NULL;
END $$;
CREATE TRIGGER activity_changed AFTER UPDATE ON activity
  REFERENCING OLD TABLE AS former NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_changed_activity();

-- With one list of ids, only the rows of these customers are read.
CREATE OR REPLACE FUNCTION lock_steps(node uuid, customers_given bigint[], requests text[])
RETURNS void LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(node::text, 0));
  PERFORM 1 FROM customers WHERE id = ANY (customers_given || ARRAY(
    SELECT customer_id FROM open_holds WHERE request_id = ANY (requests)))
  ORDER BY id FOR UPDATE;
END $$;

-- The steps of a list, in their order.
CREATE FUNCTION steps_of(list jsonb) RETURNS TABLE (place bigint, kind text, request_id text,
  customer_id bigint, key_id bigint, credits bigint, time_ms bigint, call text, measures jsonb)
LANGUAGE sql STABLE AS $$
  SELECT place, kind, "requestId", "customerId", "keyId", credits, now, call, measures
  FROM ROWS FROM (jsonb_to_recordset(list) AS (kind text, "requestId" text, "customerId" bigint,
    "keyId" bigint, credits bigint, now bigint, call text, measures jsonb))
  WITH ORDINALITY AS steps (kind, "requestId", "customerId", "keyId", credits, now, call, measures, place)
$$;

-- Whether no step of a list can fail, and none depends on another one: then they can be applied at once.
-- The customers are locked.
CREATE FUNCTION are_independent(list jsonb) RETURNS boolean LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN (
    WITH step AS MATERIALIZED (SELECT * FROM steps_of(list)),
      hold AS MATERIALIZED (SELECT customer_id, key_id, left(day_of(max(time_ms)), 7) AS month,
        left(day_of(min(time_ms)), 7) AS first_month, sum(credits) AS credits
        FROM step WHERE kind = 'hold' GROUP BY 1, 2)
    SELECT NOT EXISTS (SELECT 1 FROM step GROUP BY request_id HAVING count(*) > 1)
      AND NOT EXISTS (SELECT 1 FROM step WHERE measures->'question' IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM hold GROUP BY customer_id HAVING sum(credits)
        > coalesce((SELECT balance FROM customers WHERE id = customer_id), -1))
      AND NOT EXISTS (SELECT 1 FROM (SELECT *,
          (SELECT credits_per_month_max FROM api_keys WHERE id = key_id) AS cap FROM hold) AS capped
        WHERE cap IS NOT NULL AND (first_month <> month OR credits
          + coalesce((SELECT credits FROM usage
              WHERE usage.key_id = capped.key_id AND period = month), 0)
          + coalesce((SELECT sum(credits) FROM open_holds WHERE open_holds.key_id = capped.key_id), 0)
          > cap)));
END $$;

-- Applies such a list.
CREATE FUNCTION apply_at_once(list jsonb, node uuid) RETURNS TABLE (balance bigint) LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
  WITH step AS MATERIALIZED (SELECT *, day_of(time_ms) AS day FROM steps_of(list)),
    closed AS (DELETE FROM open_holds
      WHERE request_id = ANY (ARRAY(SELECT step.request_id FROM step WHERE kind <> 'hold'))
      RETURNING request_id, customer_id, key_id, credits),
    ended AS MATERIALIZED (
      SELECT place, kind, request_id, closed.customer_id, closed.key_id, closed.credits, time_ms, day,
        measures
      FROM closed JOIN step USING (request_id)),
    entry AS MATERIALIZED (
      SELECT place, kind, request_id, customer_id, key_id, -credits AS change, time_ms, call
      FROM step WHERE kind = 'hold'
      UNION ALL
      SELECT place, kind, request_id, customer_id, key_id,
        CASE kind WHEN 'release' THEN credits ELSE 0 END, time_ms, NULL
      FROM ended),
    entered AS MATERIALIZED (
      SELECT entry.*, customers.balance
        + (sum(change) OVER (PARTITION BY customer_id ORDER BY place))::bigint AS after
      FROM entry JOIN customers ON id = customer_id
      WHERE id = ANY (ARRAY(SELECT customer_id FROM entry))),
    written AS (INSERT INTO ledger_entries
        (customer_id, key_id, kind, credits, balance, request_id, created_at, call)
      SELECT customer_id, key_id, kind, change, after, request_id, time_ms, call
      FROM entered ORDER BY place),
    credited AS (UPDATE customers SET balance = customers.balance + sums.change
      FROM (SELECT customer_id, sum(change)::bigint AS change FROM entry GROUP BY 1) AS sums
      WHERE id = sums.customer_id AND sums.change <> 0
        AND id = ANY (ARRAY(SELECT customer_id FROM entry))),
    opened AS (INSERT INTO open_holds
      SELECT request_id, customer_id, key_id, credits, time_ms, node FROM step WHERE kind = 'hold'),
    settled AS MATERIALIZED (SELECT * FROM ended WHERE kind = 'settle'),
    measured AS MATERIALIZED (SELECT key_id, day, measures FROM settled
      WHERE jsonb_typeof(measures) = 'object'),
    by_month AS (INSERT INTO usage AS u
      SELECT key_id, left(day, 7), count(*), sum(credits) FROM settled GROUP BY 1, 2
      ON CONFLICT (key_id, period) DO UPDATE
        SET requests = u.requests + excluded.requests, credits = u.credits + excluded.credits),
    by_day AS (INSERT INTO usage_days AS u
      SELECT key_id, settled.day, count(*), sum(credits) FROM settled GROUP BY 1, 2
      ON CONFLICT (key_id, day) DO UPDATE
        SET requests = u.requests + excluded.requests, credits = u.credits + excluded.credits),
    by_latency AS (INSERT INTO latency_days AS d
      SELECT key_id, measured.day, (measures->>'boundMs')::bigint, count(*) FROM measured GROUP BY 1, 2, 3
      ON CONFLICT (key_id, day, bound_ms) DO UPDATE SET calls = d.calls + excluded.calls),
    by_lane AS (INSERT INTO lane_days AS d
      SELECT key_id, measured.day, lane, count(*)
      FROM measured, jsonb_array_elements_text(measures->'lanes') AS lane GROUP BY 1, 2, 3
      ON CONFLICT (key_id, day, lane) DO UPDATE SET calls = d.calls + excluded.calls),
    by_outcome AS (INSERT INTO outcome_days AS d
      SELECT key_id, measured.day, measures->>'outcome', count(*) FROM measured
      WHERE measures->>'outcome' IS NOT NULL GROUP BY 1, 2, 3
      ON CONFLICT (key_id, day, outcome) DO UPDATE SET calls = d.calls + excluded.calls)
  SELECT after FROM step LEFT JOIN entered USING (place) ORDER BY place;
END $$;

CREATE OR REPLACE FUNCTION apply_steps(steps jsonb, node uuid)
RETURNS TABLE (balance bigint, failure text) LANGUAGE plpgsql AS $$
DECLARE
  step jsonb;
BEGIN
  PERFORM lock_steps(node,
    ARRAY(SELECT (s->>'customerId')::bigint FROM jsonb_array_elements(steps) AS s
      WHERE s->>'kind' = 'hold'),
    ARRAY(SELECT s->>'requestId' FROM jsonb_array_elements(steps) AS s));
  IF are_independent(steps) THEN
    RETURN QUERY SELECT applied.balance, NULL::text FROM apply_at_once(steps, node) AS applied;
    RETURN;
  END IF;
  FOR step IN SELECT s FROM jsonb_array_elements(steps) WITH ORDINALITY AS t(s, place) ORDER BY place LOOP
    IF step->>'kind' = 'hold' THEN
      SELECT held.after, held.failure INTO balance, failure FROM hold_credit(step, node) AS held;
    ELSE
      balance := end_hold(step->>'kind', step->>'requestId', (step->>'now')::bigint,
        step->'measures');
      failure := NULL;
    END IF;
    RETURN NEXT;
  END LOOP;
END $$;

-- Counts a request of each key against its rate, and reads what the key may spend. Keys go in the order
-- of their ids, so that two lists never wait for each other. Nothing that must last is written, so the
-- transaction does not wait for the disk.
CREATE FUNCTION admit_keys(ids bigint[], times bigint[], rate_of_others bigint)
RETURNS TABLE (place bigint, key jsonb, balance bigint, used bigint, "perMinute" bigint,
  allowed boolean, tokens double precision) LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
  PERFORM set_config('synchronous_commit', 'off', true);
  RETURN QUERY
  WITH found AS MATERIALIZED (
    SELECT given.place, given.time_ms, keys.id, to_jsonb(keys) AS key, customers.balance,
      coalesce((SELECT credits FROM usage
        WHERE key_id = keys.id AND period = left(day_of(given.time_ms), 7)), 0) AS used,
      coalesce("requestsPerMinute", rate_of_others) AS per_minute
    FROM unnest(ids, times) WITH ORDINALITY AS given (id, time_ms, place)
      JOIN keys ON keys.id = given.id
      JOIN customers ON customers.id = "customerId"
    WHERE keys.id = ANY (ids) AND ("revokedAt" IS NULL OR "revokedAt" > given.time_ms)
    ORDER BY keys.id, given.place)
  SELECT found.place, found.key, found.balance, found.used, per_minute, rate.allowed, rate.tokens
  FROM found, LATERAL take_rate(found.id, per_minute, time_ms) AS rate;
END $$;

-- The same for secrets of keys, by their hashes. Access tokens count where they are accepted.
CREATE FUNCTION admit_secrets(hashes bytea[], accepted boolean[], times bigint[], rate_of_others bigint)
RETURNS TABLE (place bigint, key jsonb, balance bigint, used bigint, "perMinute" bigint,
  allowed boolean, tokens double precision) LANGUAGE plpgsql
SET enable_seqscan = off SET jit = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY SELECT * FROM admit_keys(
    ARRAY(SELECT (SELECT api_keys.id FROM api_keys JOIN customers ON customers.id = customer_id
        WHERE disabled_at IS NULL AND api_keys.id = coalesce(
          (SELECT id FROM api_keys WHERE hash = given.hash),
          (SELECT key_id FROM replaced_secrets WHERE hash = given.hash AND ends_at > given.time_ms),
          (SELECT key_id FROM client_tokens JOIN client_grants ON client_grants.id = grant_id
            WHERE given.accepts_tokens AND token_hash = given.hash AND kind = 'access'
              AND client_tokens.expires_at > given.time_ms)))
      FROM unnest(hashes, accepted, times) WITH ORDINALITY
        AS given (hash, accepts_tokens, time_ms, place)
      ORDER BY place),
    times, rate_of_others);
END $$;
`;
