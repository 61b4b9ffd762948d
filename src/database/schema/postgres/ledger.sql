-- Credit and what it was spent on, on PostgreSQL. Tables and columns have the meaning that
-- ../sqlite/ledger.sql describes.

-- A day in UTC, YYYY-MM-DD.
CREATE FUNCTION day_of(time_ms bigint) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN to_char(to_timestamp(time_ms / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD');
END $$;


-- Ledger ---------------------------------------------------------------------------------------

CREATE TABLE ledger_entries (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer_id bigint NOT NULL REFERENCES customers,
  key_id      bigint REFERENCES api_keys,
  kind        text NOT NULL,
  credits     bigint NOT NULL,
  balance     bigint NOT NULL,
  request_id  text,
  reference   text COLLATE "C",
  note        text,
  created_at  bigint NOT NULL,
  call        text CHECK (call IS NULL
    OR (kind = 'hold' AND call IN ('search', 'paper', 'similar', 'verify'))),
  CHECK (CASE kind
    WHEN 'topup'   THEN credits > 0 AND request_id IS NULL
    WHEN 'adjust'  THEN credits <> 0 AND request_id IS NULL AND key_id IS NULL
                        AND reference IS NOT NULL
    WHEN 'hold'    THEN credits < 0 AND request_id IS NOT NULL AND key_id IS NOT NULL
    WHEN 'settle'  THEN credits = 0 AND request_id IS NOT NULL AND key_id IS NOT NULL
    WHEN 'release' THEN credits > 0 AND request_id IS NOT NULL AND key_id IS NOT NULL
    WHEN 'refund'  THEN credits > 0 AND request_id IS NOT NULL AND key_id IS NOT NULL
    ELSE false END)
);
CREATE INDEX ledger_entries_by_customer ON ledger_entries (customer_id, id);
CREATE INDEX ledger_entries_by_key ON ledger_entries (key_id, id) WHERE key_id IS NOT NULL;
CREATE INDEX ledger_entries_rare ON ledger_entries (customer_id, id, kind)
  WHERE kind NOT IN ('hold', 'settle');
CREATE UNIQUE INDEX ledger_entries_by_request ON ledger_entries (request_id, kind)
  WHERE request_id IS NOT NULL;
CREATE UNIQUE INDEX ledger_entries_by_reference ON ledger_entries (reference)
  WHERE reference IS NOT NULL;
CREATE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_entries_not_emptied BEFORE TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE ledger_days (
  customer_id bigint NOT NULL,
  day         text COLLATE "C" NOT NULL,
  move        text COLLATE "C" NOT NULL,
  entries     bigint NOT NULL,
  credits     bigint NOT NULL,
  PRIMARY KEY (customer_id, day, move)
);

CREATE FUNCTION count_ledger_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_days AS days
  SELECT customer_id, day_of(created_at), CASE kind WHEN 'refund' THEN 'refund'
      WHEN 'topup' THEN CASE WHEN reference IS NULL THEN 'gift' ELSE 'purchase' END
      WHEN 'adjust' THEN CASE WHEN reference = 'deleted:' || customer_id THEN 'forfeited'
        WHEN reference LIKE 'gift:%' THEN 'gift'
        WHEN credits > 0 THEN 'restored'
        WHEN reference LIKE '%:dispute' THEN 'dispute' ELSE 'reversal' END
      ELSE 'call' END,
    sum(CASE kind WHEN 'release' THEN -1 ELSE 1 END), sum(credits)
  FROM added WHERE kind <> 'settle' GROUP BY 1, 2, 3
  ON CONFLICT (customer_id, day, move) DO UPDATE
    SET entries = days.entries + excluded.entries, credits = days.credits + excluded.credits;
  RETURN NULL;
END $$;
CREATE TRIGGER ledger_days_counted AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_ledger_days();

-- A server process. Its holds are released when its lease is over.
CREATE TABLE nodes (
  id          uuid PRIMARY KEY,
  lease_until timestamptz NOT NULL,
  held_since  timestamptz NOT NULL     -- since when it has had a lease without a gap
);

-- These rows, and those of ledger_days, are written together with an entry of the ledger, which has the
-- same references and is never deleted. To check them costs about as much as the row, so they have none.
CREATE TABLE open_holds (
  request_id  text PRIMARY KEY,
  customer_id bigint NOT NULL,
  key_id      bigint NOT NULL,
  credits     bigint NOT NULL CHECK (credits > 0),
  created_at  bigint NOT NULL,
  node_id     uuid NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX open_holds_by_key ON open_holds (key_id);
CREATE INDEX open_holds_by_node ON open_holds (node_id);


-- Requests -------------------------------------------------------------------------------------

CREATE TABLE requests (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer_id  bigint NOT NULL,
  key_id       bigint NOT NULL,
  request_id   text NOT NULL,
  path         text NOT NULL,
  status       bigint NOT NULL,
  code         text,
  credits      bigint NOT NULL,
  milliseconds bigint NOT NULL,
  lanes        text,
  details      text NOT NULL,
  asked        text,
  asked_until  bigint,
  created_at   bigint NOT NULL
);
CREATE INDEX requests_by_customer ON requests (customer_id, id);
CREATE INDEX requests_by_key ON requests (key_id, id);
CREATE INDEX requests_by_request_id ON requests (request_id);
CREATE INDEX requests_failed ON requests ((customer_id + 0), id, status, key_id) WHERE code IS NOT NULL;
CREATE INDEX requests_by_path ON requests ((customer_id + 0), path, id) WHERE path <> '/v1/search';
CREATE INDEX requests_by_asked_until ON requests (asked_until) WHERE asked_until IS NOT NULL;
CREATE INDEX requests_asked ON requests (customer_id) WHERE asked_until IS NOT NULL;

CREATE TABLE request_days (
  customer_id bigint NOT NULL,
  day         text COLLATE "C" NOT NULL,
  key_id      bigint NOT NULL,
  path        text NOT NULL,
  status      bigint NOT NULL,
  code        text NOT NULL,
  calls       bigint NOT NULL,
  last_at     bigint NOT NULL,
  PRIMARY KEY (customer_id, day, key_id, path, status, code)
);
CREATE INDEX request_days_by_day ON request_days (day);


-- Stored answers -------------------------------------------------------------------------------

CREATE TABLE stored_answers (
  customer_id     bigint NOT NULL REFERENCES customers,
  idempotency_key text NOT NULL,
  fingerprint     bytea NOT NULL,
  request_id      text NOT NULL,
  headers         text NOT NULL,
  body            text NOT NULL,
  bytes           bigint NOT NULL,
  expires_at      bigint NOT NULL,
  PRIMARY KEY (customer_id, idempotency_key)
);
CREATE INDEX stored_answers_by_expiry ON stored_answers (expires_at);
CREATE TRIGGER stored_answers_no_update BEFORE UPDATE ON stored_answers
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TABLE stored_answer_totals (
  customer_id bigint PRIMARY KEY,
  answers     bigint NOT NULL,
  bytes       bigint NOT NULL
);

CREATE FUNCTION count_answers() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  customer bigint;
BEGIN
  IF TG_OP = 'DELETE' THEN
    UPDATE stored_answer_totals SET answers = answers - 1, bytes = bytes - old.bytes
    WHERE customer_id = old.customer_id;
    UPDATE stored_answer_totals SET answers = answers - 1, bytes = bytes - old.bytes
    WHERE customer_id = 0;
  ELSE
    -- The customer first, as above: two transactions never wait for each other.
    FOREACH customer IN ARRAY ARRAY[new.customer_id, 0] LOOP
      INSERT INTO stored_answer_totals AS totals VALUES (customer, 1, new.bytes)
      ON CONFLICT (customer_id) DO UPDATE
        SET answers = totals.answers + 1, bytes = totals.bytes + excluded.bytes;
    END LOOP;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER answers_counted AFTER INSERT OR DELETE ON stored_answers
  FOR EACH ROW EXECUTE FUNCTION count_answers();


-- Usage ----------------------------------------------------------------------------------------

CREATE TABLE usage (
  key_id   bigint NOT NULL REFERENCES api_keys,
  period   text COLLATE "C" NOT NULL,
  requests bigint NOT NULL,
  credits  bigint NOT NULL,
  PRIMARY KEY (key_id, period)
);

CREATE TABLE usage_days (
  key_id   bigint NOT NULL REFERENCES api_keys,
  day      text COLLATE "C" NOT NULL,
  requests bigint NOT NULL,
  credits  bigint NOT NULL,
  PRIMARY KEY (key_id, day)
);

CREATE TABLE latency_days (
  key_id   bigint NOT NULL REFERENCES api_keys,
  day      text COLLATE "C" NOT NULL,
  bound_ms bigint NOT NULL,
  calls    bigint NOT NULL,
  PRIMARY KEY (key_id, day, bound_ms)
);
CREATE INDEX latency_days_by_day ON latency_days (day);

CREATE TABLE lane_days (
  key_id bigint NOT NULL REFERENCES api_keys,
  day    text COLLATE "C" NOT NULL,
  lane   text NOT NULL,
  calls  bigint NOT NULL,
  PRIMARY KEY (key_id, day, lane)
);
CREATE INDEX lane_days_by_day ON lane_days (day);

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


-- Audits ---------------------------------------------------------------------------------------

CREATE TABLE ledger_audits (
  id               bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  started_at       bigint NOT NULL,
  ended_at         bigint NOT NULL,
  actor            text NOT NULL,
  customers        bigint NOT NULL,
  entries          bigint NOT NULL,
  held             bigint NOT NULL,
  difference_count bigint NOT NULL,
  differences      text NOT NULL
);
