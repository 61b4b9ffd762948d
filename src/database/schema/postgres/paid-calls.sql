-- The steps of paid calls, as functions: a list of them costs one round trip. Each statement of a
-- function sees what was committed before it, so what is read after a lock is current.
--
-- A list is one statement for all of its steps where it can be, because most of the time of a step is the
-- start of its statements, with the row of its customer locked. A connection keeps its plans while the
-- tables grow, and a plan for an almost empty table may read all of it, so each statement names the rows
-- of a large table by a list of their ids. What runs for each row is in PL/pgSQL: a function in SQL is
-- parsed and planned again by each statement that calls it.


-- One step -------------------------------------------------------------------------------------

CREATE FUNCTION enter(customer bigint, key bigint, what text, amount bigint, request text,
  time_ms bigint, what_for text DEFAULT NULL) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  after bigint;
BEGIN
  UPDATE customers SET balance = balance + amount WHERE id = customer RETURNING balance INTO after;
  INSERT INTO ledger_entries (customer_id, key_id, kind, credits, balance, request_id, created_at, call)
  VALUES (customer, key, what, amount, after, request, time_ms, what_for);
  RETURN after;
END $$;

CREATE FUNCTION count_usage(key bigint, served bigint, spent bigint, time_ms bigint) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO usage AS u VALUES (key, left(day_of(time_ms), 7), served, spent)
  ON CONFLICT (key_id, period) DO UPDATE
    SET requests = u.requests + excluded.requests, credits = u.credits + excluded.credits;
  INSERT INTO usage_days AS u VALUES (key, day_of(time_ms), served, spent)
  ON CONFLICT (key_id, day) DO UPDATE
    SET requests = u.requests + excluded.requests, credits = u.credits + excluded.credits;
$$;

-- What is known of an answer besides its charge. Of two nodes that delete the oldest questions, none
-- waits for the other.
CREATE FUNCTION count_measures(customer bigint, key bigint, time_ms bigint, measures jsonb)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  latest bigint;
BEGIN
  INSERT INTO latency_days AS d VALUES (key, day_of(time_ms), (measures->>'boundMs')::bigint, 1)
  ON CONFLICT (key_id, day, bound_ms) DO UPDATE SET calls = d.calls + 1;
  INSERT INTO lane_days AS d
  SELECT key, day_of(time_ms), lane, 1 FROM jsonb_array_elements_text(measures->'lanes') AS lane
  ON CONFLICT (key_id, day, lane) DO UPDATE SET calls = d.calls + 1;
  IF measures->>'outcome' IS NOT NULL THEN
    INSERT INTO outcome_days AS d VALUES (key, day_of(time_ms), measures->>'outcome', 1)
    ON CONFLICT (key_id, day, outcome) DO UPDATE SET calls = d.calls + 1;
  END IF;
  IF measures->'question' IS NOT NULL THEN
    INSERT INTO kept_questions (customer_id, text, outcome, asked_at)
    VALUES (customer, measures->'question'->>'text', measures->>'outcome', time_ms)
    RETURNING id INTO latest;
    DELETE FROM kept_questions WHERE id IN (SELECT id FROM kept_questions
      WHERE id <= latest - (measures->'question'->>'questionsMax')::bigint
      ORDER BY id FOR UPDATE SKIP LOCKED);
  END IF;
END $$;

-- The balance left, or NULL with a failure, or without one if the balance is too small.
CREATE FUNCTION hold_credit(step jsonb, node uuid, OUT after bigint, OUT failure text)
LANGUAGE plpgsql AS $$
DECLARE
  customer bigint := step->>'customerId';
  key bigint := step->>'keyId';
  amount bigint := step->>'credits';
  time_ms bigint := step->>'now';
  cap bigint;
BEGIN
  SELECT credits_per_month_max INTO cap FROM api_keys WHERE id = key;
  IF cap IS NOT NULL AND amount + (
    SELECT coalesce((SELECT credits FROM usage WHERE key_id = key AND period = left(day_of(time_ms), 7)), 0)
      + coalesce((SELECT sum(credits) FROM open_holds WHERE key_id = key), 0)
  ) > cap THEN
    failure := 'key_cap_reached';
    RETURN;
  END IF;
  IF coalesce((SELECT balance FROM customers WHERE id = customer), 0) < amount THEN
    RETURN;
  END IF;
  after := enter(customer, key, 'hold', -amount, step->>'requestId', time_ms, step->>'call');
  INSERT INTO open_holds VALUES (step->>'requestId', customer, key, amount, time_ms, node);
END $$;

-- The balance, or NULL if no hold is open. `measures` has bounds and lanes of the answer.
CREATE FUNCTION end_hold(what text, request text, time_ms bigint, measures jsonb)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  held open_holds;
  after bigint;
BEGIN
  DELETE FROM open_holds WHERE request_id = request RETURNING * INTO held;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  after := enter(held.customer_id, held.key_id, what,
    CASE what WHEN 'release' THEN held.credits ELSE 0 END, request, time_ms);
  IF what = 'settle' THEN
    PERFORM count_usage(held.key_id, 1, held.credits, time_ms);
    IF measures IS NOT NULL THEN
      PERFORM count_measures(held.customer_id, held.key_id, time_ms, measures);
    END IF;
  END IF;
  RETURN after;
END $$;


-- Lists of steps -------------------------------------------------------------------------------

-- With one list of ids, only the rows of these customers are read.
CREATE FUNCTION lock_steps(node uuid, customers_given bigint[], requests text[])
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

CREATE FUNCTION apply_steps(steps jsonb, node uuid)
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

-- Charges and releases holds, and stores the answer. Raises an exception unless all of it can be done.
CREATE FUNCTION store_answer(answer jsonb, fingerprint bytea, node uuid) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  customer bigint := answer->>'customerId';
  time_ms bigint := answer->>'now';
  request text;
  after bigint;
  latest bigint;
BEGIN
  PERFORM lock_steps(node, ARRAY[customer],
    ARRAY(SELECT jsonb_array_elements_text((answer->'charged') || (answer->'released'))));
  FOR request IN SELECT jsonb_array_elements_text(answer->'released') LOOP
    after := coalesce(end_hold('release', request, time_ms, NULL), after);
  END LOOP;
  FOR request IN SELECT jsonb_array_elements_text(answer->'charged') LOOP
    latest := end_hold('settle', request, time_ms, answer->'measures'->request);
    IF latest IS NULL THEN
      RAISE EXCEPTION 'the hold % is not open', request;
    END IF;
    after := latest;
  END LOOP;
  DELETE FROM stored_answers WHERE customer_id = customer
    AND idempotency_key = answer->>'idempotencyKey'
    AND (expires_at <= time_ms OR request_id = answer->>'replaces');
  INSERT INTO stored_answers VALUES (customer, answer->>'idempotencyKey', fingerprint,
    answer->>'requestId', answer->>'headers', answer->>'body',
    octet_length(answer->>'body') + octet_length(answer->>'headers'),
    (answer->>'expiresAt')::bigint);
  RETURN after;
END $$;


-- Admission ------------------------------------------------------------------------------------

-- Requests that a key may still send. Nothing is lost if a crash of the database forgets them.
CREATE UNLOGGED TABLE rates (
  key_id     bigint PRIMARY KEY,
  tokens     double precision NOT NULL,
  allowed    boolean NOT NULL,        -- whether the last request was
  updated_at bigint NOT NULL
) WITH (fillfactor = 50);

-- Counts a request against the rate of a key: a burst of as many requests as a minute allows.
CREATE FUNCTION take_rate(key bigint, per_minute bigint, time_ms bigint,
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


-- Leases ---------------------------------------------------------------------------------------

-- Renews the lease of a node. A gap means that others may have released its holds.
CREATE FUNCTION renew_lease(node uuid, lease_ms bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO nodes AS n
  VALUES (node, clock_timestamp() + lease_ms * interval '1 ms', clock_timestamp())
  ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until, held_since =
    CASE WHEN n.lease_until >= clock_timestamp() THEN n.held_since ELSE clock_timestamp() END
$$;

-- Releases holds of other nodes whose lease is over, at most so many. After an outage of the database
-- every lease is over, so a node that has not held its own for two lengths waits.
CREATE FUNCTION release_dead_holds(node uuid, lease_ms bigint, time_ms bigint, at_most bigint)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  dead text[];
BEGIN
  IF NOT EXISTS (SELECT 1 FROM nodes WHERE id = node AND lease_until >= clock_timestamp()
    AND held_since <= clock_timestamp() - 2 * lease_ms * interval '1 ms') THEN
    RETURN 0;
  END IF;
  dead := ARRAY(SELECT request_id FROM open_holds
    WHERE node_id <> node AND NOT EXISTS
      (SELECT 1 FROM nodes WHERE id = node_id AND lease_until >= clock_timestamp())
    LIMIT at_most);
  DELETE FROM nodes WHERE lease_until < clock_timestamp() - 10 * lease_ms * interval '1 ms'
    AND NOT EXISTS (SELECT 1 FROM open_holds WHERE node_id = nodes.id);
  PERFORM lock_steps(node, '{}', dead);
  RETURN count(end_hold('release', request, time_ms, NULL)) FROM unnest(dead) AS request;
END $$;
