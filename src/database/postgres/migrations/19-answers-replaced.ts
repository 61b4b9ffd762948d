/** An answer may replace the one of an earlier request: a batch of which questions had failed. */
export const answersReplaced = `
-- Charges and releases holds, and stores the answer. Raises an exception unless all of it can be done.
CREATE OR REPLACE FUNCTION store_answer(answer jsonb, fingerprint bytea, node uuid) RETURNS bigint
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
`;
