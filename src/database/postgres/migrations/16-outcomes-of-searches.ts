/** Outcomes of searches, and questions that are kept. See `schema/accounts.sql`. */
export const outcomesOfSearches = `
CREATE TABLE outcome_days (
  key_id  bigint NOT NULL REFERENCES api_keys,
  day     text COLLATE "C" NOT NULL,
  outcome text NOT NULL,
  calls   bigint NOT NULL,
  PRIMARY KEY (key_id, day, outcome)
);
CREATE INDEX outcome_days_by_day ON outcome_days (day);

CREATE TABLE kept_questions (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer_id bigint NOT NULL REFERENCES customers,
  text        text NOT NULL,
  outcome     text NOT NULL,
  asked_at    bigint NOT NULL
);
CREATE INDEX kept_questions_by_customer ON kept_questions (customer_id);
CREATE INDEX kept_questions_by_time ON kept_questions (asked_at);

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

CREATE OR REPLACE FUNCTION end_hold(what text, request text, time_ms bigint, measures jsonb)
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
`;
