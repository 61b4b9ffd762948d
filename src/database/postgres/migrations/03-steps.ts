/**
 * The steps of paid calls, as functions: a list of them costs one round trip. Each statement of a
 * function sees what was committed before it, so what is read after a lock is current.
 */
export const steps = `
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

-- The balance, or NULL if no hold is open. \`measures\` has bounds and lanes of the answer.
CREATE FUNCTION end_hold(what text, request text, time_ms bigint, measures jsonb) RETURNS bigint
LANGUAGE plpgsql AS $$
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
      INSERT INTO latency_days AS d
      VALUES (held.key_id, day_of(time_ms), (measures->>'boundMs')::bigint, 1)
      ON CONFLICT (key_id, day, bound_ms) DO UPDATE SET calls = d.calls + 1;
      INSERT INTO lane_days AS d
      SELECT held.key_id, day_of(time_ms), lane, 1 FROM jsonb_array_elements_text(measures->'lanes') AS lane
      ON CONFLICT (key_id, day, lane) DO UPDATE SET calls = d.calls + 1;
    END IF;
  END IF;
  RETURN after;
END $$;

-- Locks the customers of a list in one order, so that two lists never wait for each other. The lists
-- of one node come one after the other, also if the answer to one was lost: so what releases a hold
-- never overtakes it.
CREATE FUNCTION lock_steps(node uuid, customers_given bigint[], requests text[]) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(node::text, 0));
  PERFORM 1 FROM customers WHERE id = ANY (customers_given)
    OR id IN (SELECT customer_id FROM open_holds WHERE request_id = ANY (requests))
  ORDER BY id FOR UPDATE;
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
    AND idempotency_key = answer->>'idempotencyKey' AND expires_at <= time_ms;
  INSERT INTO stored_answers VALUES (customer, answer->>'idempotencyKey', fingerprint,
    answer->>'requestId', answer->>'headers', answer->>'body',
    octet_length(answer->>'body') + octet_length(answer->>'headers'),
    (answer->>'expiresAt')::bigint);
  RETURN after;
END $$;

-- Counts a request against the rate of a key: a burst of as many requests as a minute allows.
CREATE FUNCTION take_rate(key bigint, per_minute bigint, time_ms bigint,
  OUT allowed boolean, OUT tokens double precision) LANGUAGE sql AS $$
  INSERT INTO rates AS r VALUES (key, per_minute - 1, true, time_ms)
  ON CONFLICT (key_id) DO UPDATE SET (tokens, allowed, updated_at) = (
    SELECT CASE WHEN refilled >= 1 THEN refilled - 1 ELSE refilled END, refilled >= 1, time_ms
    FROM least(per_minute, r.tokens + greatest(0, time_ms - r.updated_at) * per_minute / 60000.0)
      AS refilled)
  RETURNING r.allowed, r.tokens
$$;

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
`;
