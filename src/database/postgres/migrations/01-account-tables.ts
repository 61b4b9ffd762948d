/**
 * The tables of accounts. They have the meaning that `schema/accounts.sql` describes; times are
 * milliseconds since 1970, too, but for leases, which go by the clock of the database.
 */
export const tables = `
CREATE TABLE customers (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  email         text NOT NULL UNIQUE,
  balance       bigint NOT NULL DEFAULT 0,
  created_at    bigint NOT NULL,
  password_hash text,
  disabled_at   bigint,
  low_balance   bigint CHECK (low_balance > 0),
  browser_key   bytea,
  lanes         text
) WITH (fillfactor = 50);

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
  expires_at            bigint
);
CREATE INDEX api_keys_by_customer ON api_keys (customer_id, id);

CREATE TABLE replaced_secrets (
  key_id  bigint PRIMARY KEY REFERENCES api_keys,
  hash    bytea NOT NULL UNIQUE,
  prefix  text NOT NULL,
  ends_at bigint NOT NULL
);

CREATE TABLE sign_in_links (
  customer_id bigint PRIMARY KEY REFERENCES customers,
  token_hash  bytea NOT NULL UNIQUE,
  expires_at  bigint NOT NULL
);

CREATE TABLE sessions (
  token_hash  bytea PRIMARY KEY,
  customer_id bigint NOT NULL REFERENCES customers,
  created_at  bigint NOT NULL,
  seen_at     bigint NOT NULL
);
CREATE INDEX sessions_by_customer ON sessions (customer_id, seen_at);

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

-- A server process. Its holds are released when its lease is over.
CREATE TABLE nodes (
  id          uuid PRIMARY KEY,
  lease_until timestamptz NOT NULL,
  held_since  timestamptz NOT NULL     -- since when it has had a lease without a gap
);

CREATE TABLE open_holds (
  request_id  text PRIMARY KEY,
  customer_id bigint NOT NULL REFERENCES customers,
  key_id      bigint NOT NULL REFERENCES api_keys,
  credits     bigint NOT NULL CHECK (credits > 0),
  created_at  bigint NOT NULL,
  node_id     uuid NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CREATE INDEX open_holds_by_key ON open_holds (key_id);
CREATE INDEX open_holds_by_node ON open_holds (node_id);

CREATE TABLE activity (
  id          bigint PRIMARY KEY REFERENCES ledger_entries,
  customer_id bigint NOT NULL REFERENCES customers,
  key_id      bigint REFERENCES api_keys,
  kind        text NOT NULL CHECK (kind IN ('search', 'paper', 'similar', 'verify', 'topup', 'adjust')),
  outcome     text NOT NULL CHECK (outcome IN ('open', 'charged', 'free', 'refunded', 'payment')),
  credits     bigint NOT NULL,
  created_at  bigint NOT NULL
);
CREATE INDEX activity_by_customer ON activity (customer_id, id);
CREATE INDEX activity_by_key ON activity (key_id, id) WHERE key_id IS NOT NULL;
CREATE INDEX activity_by_outcome ON activity (customer_id, outcome, id) WHERE outcome <> 'charged';
CREATE INDEX activity_by_kind ON activity (customer_id, kind, id) WHERE kind <> 'search';

CREATE TABLE activity_days (
  customer_id bigint NOT NULL REFERENCES customers,
  day         text COLLATE "C" NOT NULL,
  key_id      bigint NOT NULL,
  kind        text NOT NULL,
  outcome     text NOT NULL,
  lines       bigint NOT NULL,
  credits     bigint NOT NULL,
  PRIMARY KEY (customer_id, day, key_id, kind, outcome)
);

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

CREATE TABLE stored_answer_totals (
  customer_id bigint PRIMARY KEY,
  answers     bigint NOT NULL,
  bytes       bigint NOT NULL
);

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

CREATE TABLE payments (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id       text NOT NULL UNIQUE,
  customer_id    bigint NOT NULL REFERENCES customers,
  credits        bigint NOT NULL CHECK (credits > 0),
  amount         bigint NOT NULL CHECK (amount > 0),
  currency       text NOT NULL,
  session        text UNIQUE,
  url            text,
  expires_at     bigint,
  payment_intent text UNIQUE,
  state          text NOT NULL DEFAULT 'ordered'
    CHECK (state IN ('ordered', 'unpaid', 'paid', 'failed', 'expired', 'mismatch')),
  credits_given  bigint NOT NULL DEFAULT 0,
  created_at     bigint NOT NULL,
  CHECK (credits_given BETWEEN 0 AND credits)
);
CREATE INDEX payments_by_customer ON payments (customer_id, created_at);
CREATE TABLE payment_events (
  id          text PRIMARY KEY,
  kind        text NOT NULL,
  payment_id  bigint REFERENCES payments,
  problem     text,
  created_at  bigint NOT NULL,
  received_at bigint NOT NULL
);
CREATE INDEX payment_events_by_payment ON payment_events (payment_id);
CREATE TABLE payment_refunds (
  payment_intent text PRIMARY KEY,
  amount         bigint NOT NULL CHECK (amount >= 0),
  currency       text NOT NULL
);
CREATE TABLE payment_disputes (
  id             text PRIMARY KEY,
  payment_intent text NOT NULL,
  amount         bigint NOT NULL CHECK (amount >= 0),
  currency       text NOT NULL,
  takes_back     boolean NOT NULL,
  changed_at     bigint NOT NULL
);
CREATE INDEX payment_disputes_by_intent ON payment_disputes (payment_intent);

-- Requests that a key may still send. Nothing is lost if a crash of the database forgets them.
CREATE UNLOGGED TABLE rates (
  key_id     bigint PRIMARY KEY,
  tokens     double precision NOT NULL,
  allowed    boolean NOT NULL,        -- whether the last request was
  updated_at bigint NOT NULL
) WITH (fillfactor = 50);

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
`;
