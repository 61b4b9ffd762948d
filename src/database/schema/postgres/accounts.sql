-- Customers, API keys, members, clients, and operators on PostgreSQL. Tables and columns have the meaning
-- that ../sqlite/accounts.sql describes. All times are milliseconds since 1970, UTC, but for leases, which
-- go by the clock of the database.


-- Customers and keys ---------------------------------------------------------------------------

CREATE TABLE customers (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email        text NOT NULL UNIQUE,
  balance      bigint NOT NULL DEFAULT 0,
  created_at   bigint NOT NULL,
  disabled_at  bigint,
  low_balance  bigint CHECK (low_balance > 0),
  lanes        text,
  top_up_below bigint,
  asked_days   bigint NOT NULL DEFAULT 0,
  operator_note text,
  unconfirmed_since bigint,
  account_name text NOT NULL DEFAULT '',
  time_zone    text NOT NULL DEFAULT 'UTC'
) WITH (fillfactor = 50);
CREATE INDEX customers_unconfirmed ON customers (unconfirmed_since) WHERE unconfirmed_since IS NOT NULL;

CREATE TABLE api_keys (
  id                    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer_id           bigint NOT NULL REFERENCES customers,
  name                  text NOT NULL,
  hash                  bytea NOT NULL UNIQUE,
  prefix                text COLLATE "C" NOT NULL UNIQUE,
  requests_per_minute   bigint,
  in_flight_max         bigint,
  created_at            bigint NOT NULL,
  revoked_at            bigint,
  credits_per_month_max bigint CHECK (credits_per_month_max > 0),
  lanes                 text,
  expires_at            bigint,
  idempotency_key       text
);
CREATE INDEX api_keys_by_customer ON api_keys (customer_id, id);
CREATE UNIQUE INDEX api_keys_by_idempotency_key ON api_keys (customer_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;

CREATE TABLE replaced_secrets (
  key_id  bigint PRIMARY KEY REFERENCES api_keys,
  hash    bytea NOT NULL UNIQUE,
  prefix  text NOT NULL,
  ends_at bigint NOT NULL
);


-- Sign-in --------------------------------------------------------------------------------------

CREATE TABLE members (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  customer_id   bigint NOT NULL REFERENCES customers,
  email         text NOT NULL UNIQUE,
  role          text NOT NULL CHECK (role IN ('owner', 'developer', 'billing')),
  password_hash text,
  browser_key   bytea,
  created_at    bigint NOT NULL
);
CREATE INDEX members_by_customer ON members (customer_id, id);

CREATE TABLE sign_in_links (
  member_id  bigint PRIMARY KEY REFERENCES members,
  token_hash bytea NOT NULL UNIQUE,
  expires_at bigint NOT NULL
);

CREATE TABLE sessions (
  token_hash bytea PRIMARY KEY,
  member_id  bigint NOT NULL REFERENCES members,
  created_at bigint NOT NULL,
  seen_at    bigint NOT NULL,
  device     text,
  address    text
);
CREATE INDEX sessions_by_member ON sessions (member_id, seen_at);

CREATE TABLE second_factors (
  email      text PRIMARY KEY,
  secret     bytea NOT NULL,
  used_step  bigint NOT NULL,
  enabled_at bigint NOT NULL
);

CREATE TABLE recovery_codes (
  email     text NOT NULL REFERENCES second_factors,
  code_hash bytea NOT NULL,
  PRIMARY KEY (email, code_hash)
);

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


-- Clients of customers -------------------------------------------------------------------------

CREATE TABLE client_grants (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  key_id      bigint NOT NULL UNIQUE REFERENCES api_keys,
  client_id   text NOT NULL,
  family_hash bytea NOT NULL UNIQUE,
  expires_at  bigint NOT NULL,
  created_at  bigint NOT NULL
);

CREATE TABLE client_codes (
  code_hash             bytea PRIMARY KEY,
  customer_id           bigint NOT NULL REFERENCES customers,
  client_id             text NOT NULL,
  client_name           text NOT NULL,
  redirect_uri          text NOT NULL,
  code_challenge        text NOT NULL,
  credits_per_month_max bigint NOT NULL CHECK (credits_per_month_max > 0),
  expires_at            bigint NOT NULL,
  grant_id              bigint REFERENCES client_grants
);
CREATE INDEX client_codes_by_customer ON client_codes (customer_id, expires_at);

CREATE TABLE client_tokens (
  token_hash bytea PRIMARY KEY,
  grant_id   bigint NOT NULL REFERENCES client_grants,
  kind       text NOT NULL CHECK (kind IN ('access', 'refresh')),
  expires_at bigint NOT NULL,
  used_at    bigint
);
CREATE INDEX client_tokens_by_grant ON client_tokens (grant_id, kind, expires_at);

-- Keys as the service sees them.
CREATE VIEW keys AS
SELECT api_keys.id, customer_id AS "customerId", email AS customer, name, api_keys.prefix,
  requests_per_minute AS "requestsPerMinute", in_flight_max AS "inFlightMax",
  credits_per_month_max AS "creditsPerMonthMax", api_keys.created_at AS "createdAt",
  least(revoked_at, api_keys.expires_at, client_grants.expires_at) AS "revokedAt",
  api_keys.expires_at AS "expiresAt", replaced_secrets.prefix AS "oldPrefix",
  replaced_secrets.ends_at AS "oldSecretEndsAt", api_keys.lanes,
  customers.lanes AS "customerLanes", client_id AS client
FROM api_keys
  JOIN customers ON customers.id = customer_id
  LEFT JOIN client_grants ON client_grants.key_id = api_keys.id
  LEFT JOIN replaced_secrets ON replaced_secrets.key_id = api_keys.id;


-- Operators ------------------------------------------------------------------------------------

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows of % are never changed or deleted', TG_TABLE_NAME;
END $$;

CREATE TABLE operator_actions (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at          bigint NOT NULL,
  actor       text NOT NULL,
  action      text NOT NULL,
  customer_id bigint REFERENCES customers,
  subject     text,
  details     text,
  submission  text UNIQUE
);
CREATE INDEX operator_actions_by_customer ON operator_actions (customer_id, id);
CREATE TRIGGER operator_actions_append_only BEFORE UPDATE OR DELETE ON operator_actions
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER operator_actions_not_emptied BEFORE TRUNCATE ON operator_actions
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE operators (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email           text NOT NULL UNIQUE,
  created_at      bigint NOT NULL,
  password_hash   text,
  secret          bytea,
  used_step       bigint,
  enrolled_at     bigint,
  browser_key     bytea,
  link_hash       bytea UNIQUE,
  link_expires_at bigint,
  CHECK ((password_hash IS NULL) = (secret IS NULL) AND (secret IS NULL) = (used_step IS NULL)
    AND (secret IS NULL) = (enrolled_at IS NULL))
);

CREATE TABLE operator_recovery_codes (
  operator_id bigint NOT NULL REFERENCES operators,
  code_hash   bytea NOT NULL,
  PRIMARY KEY (operator_id, code_hash)
);

CREATE TABLE operator_sessions (
  token_hash  bytea PRIMARY KEY,
  operator_id bigint NOT NULL REFERENCES operators,
  created_at  bigint NOT NULL,
  seen_at     bigint NOT NULL,
  device      text,
  address     text
);
CREATE INDEX operator_sessions_by_operator ON operator_sessions (operator_id, seen_at);


-- Alerts ---------------------------------------------------------------------------------------

CREATE TABLE alert_settings (
  kind      text PRIMARY KEY,
  is_on     boolean NOT NULL,
  threshold bigint NOT NULL
);

CREATE TABLE alert_states (
  kind      text NOT NULL,
  server    text NOT NULL,
  channel   text NOT NULL,
  is_raised boolean NOT NULL,
  told      bigint NOT NULL,
  tried_at  bigint NOT NULL,
  PRIMARY KEY (kind, server, channel)
);


-- Place ----------------------------------------------------------------------------------------

CREATE TABLE account_place (
  id      boolean PRIMARY KEY CHECK (id),
  state   text NOT NULL CHECK (state IN ('here', 'away')),
  move    text,
  pending text,
  other   text
);
INSERT INTO account_place (id, state) VALUES (true, 'here');

-- For the time of a move and after it, this is a trigger of what programs add to.
CREATE FUNCTION refuse_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the accounts have moved to another database' USING ERRCODE = '55000';
END $$;
