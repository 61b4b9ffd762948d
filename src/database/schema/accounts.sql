-- The current schema of customers, API keys, credit and payments. Nothing here refers to the index.
--
--   customers, api_keys, replaced_secrets        who may search
--   members, sign_in_links, sessions             who signs in for customers, and how
--   second_factors, recovery_codes               what they prove besides their password
--   operators, operator_recovery_codes, operator_sessions   who signs in as an operator, and how
--   client_grants, client_codes, client_tokens   what customers granted to OAuth clients
--   ledger_entries, open_holds                   credit: all changes to it, and searches in progress
--   stored_answers, stored_answer_totals         answers that a repeated request gets again
--   activity, activity_days                      one line for each call and payment; counts by day
--   usage, usage_days                            what each key spent, by month and by day
--   latency_days, lane_days                      how fast and from where its answers came
--   outcome_days, kept_questions                 how often nothing close was found, and for what
--   payments, payment_events, refunds, payment_refunds, payment_disputes
--                                                credit that customers bought through Stripe
--   buyers                                       what customers want on their receipts
--   billing_notices                              mail about billing, until it is sent
--   automatic_top_ups, card_removals             credit that the server orders with a saved card
--   operator_actions                             what operators changed
--   account_place                                whether all of this is in use, or has moved
--   ledger_audits                                what audits found that operators started
--
-- `ledger_entries` is the source of truth. Its rows are never changed or deleted. Balances, open
-- holds and usage are sums of its rows. Each transaction updates them with the ledger, so that no
-- request has to add up entries. `credit audit` adds them up and compares.
-- All times are milliseconds since 1970, UTC.


-- Customers and keys ---------------------------------------------------------------------------

CREATE TABLE customers (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  email         TEXT NOT NULL UNIQUE,                   -- that of an owner
  balance       INTEGER NOT NULL DEFAULT 0,             -- in credits: the sum of the ledger entries
  created_at    INTEGER NOT NULL,
  disabled_at   INTEGER,                                -- NULL: may sign in and search
  low_balance   INTEGER CHECK (low_balance > 0),        -- warn below this; NULL: no warning
  lanes         TEXT,                                   -- allowed lanes, separated by commas, or
                                                        -- 'none'; NULL: all
  top_up_below  INTEGER                                 -- order credit below this; NULL: never
) STRICT;

CREATE TABLE api_keys (
  id                    INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_id           INTEGER NOT NULL REFERENCES customers (id),
  name                  TEXT NOT NULL,
  hash                  BLOB NOT NULL UNIQUE,           -- SHA-256 of the secret, which is not stored
  prefix                TEXT NOT NULL UNIQUE,           -- first hexadecimal digits of the hash
  requests_per_minute   INTEGER,                        -- NULL: the server's setting
  in_flight_max         INTEGER,                        -- NULL: the server's setting
  created_at            INTEGER NOT NULL,
  revoked_at            INTEGER,                        -- NULL: valid; future: valid until then
  credits_per_month_max INTEGER CHECK (credits_per_month_max > 0),  -- NULL: no cap
  lanes                 TEXT,                           -- as in customers; both must allow a lane
  expires_at            INTEGER,                        -- the end that its customer chose; NULL: none
  form_copy             TEXT                            -- the form that created it, so that it counts once
) STRICT;
CREATE INDEX api_keys_by_customer ON api_keys (customer_id, id);
CREATE UNIQUE INDEX api_keys_by_form ON api_keys (customer_id, form_copy)
  WHERE form_copy IS NOT NULL;

-- The earlier secret of a key that was rotated. It is the same key, so caps and usage are shared.
CREATE TABLE replaced_secrets (
  key_id  INTEGER PRIMARY KEY REFERENCES api_keys (id),
  hash    BLOB NOT NULL UNIQUE,         -- SHA-256 of the secret
  prefix  TEXT NOT NULL,                -- first hexadecimal digits of the hash
  ends_at INTEGER NOT NULL              -- from when it no longer works
) STRICT;


-- Sign-in --------------------------------------------------------------------------------------

-- Who signs in for a customer. At least one is an owner with a password, once anybody has one.
CREATE TABLE members (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_id   INTEGER NOT NULL REFERENCES customers (id),
  email         TEXT NOT NULL UNIQUE,
  role          TEXT NOT NULL CHECK (role IN ('owner', 'developer', 'billing')),
  password_hash TEXT,                   -- NULL: no password yet
  browser_key   BLOB,                   -- signs the cookies of known browsers; NULL: none is known
  created_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX members_by_customer ON members (customer_id, id);

-- One link per member. A new link replaces the old one.
CREATE TABLE sign_in_links (
  member_id  INTEGER PRIMARY KEY REFERENCES members (id),
  token_hash BLOB NOT NULL UNIQUE,      -- SHA-256 of the token, which is not stored
  expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
  token_hash BLOB PRIMARY KEY,          -- SHA-256 of the token, which is not stored
  member_id  INTEGER NOT NULL REFERENCES members (id),
  created_at INTEGER NOT NULL,
  seen_at    INTEGER NOT NULL,          -- accurate to about a minute
  device     TEXT,                      -- such as 'Firefox on Linux'; NULL: older than this column
  address    TEXT                       -- network address at the start: IPv4, or a /64 of IPv6
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_member ON sessions (member_id, seen_at);

-- An address with a row proves at each sign-in that it has an authenticator app, or a recovery code.
CREATE TABLE second_factors (
  email      TEXT PRIMARY KEY,          -- as in members
  secret     BLOB NOT NULL,             -- of the app; not hashed, because codes are computed with it
  used_step  INTEGER NOT NULL,          -- the last step of 30 seconds whose code was used
  enabled_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Codes that were not used. A used one is deleted.
CREATE TABLE recovery_codes (
  email     TEXT NOT NULL REFERENCES second_factors (email),
  code_hash BLOB NOT NULL,              -- SHA-256 of the code
  PRIMARY KEY (email, code_hash)
) STRICT, WITHOUT ROWID;


-- Clients of customers -------------------------------------------------------------------------

-- What customers granted to OAuth clients. Each grant has a key of its own.
CREATE TABLE client_grants (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  key_id      INTEGER NOT NULL UNIQUE REFERENCES api_keys (id),
  client_id   TEXT NOT NULL,            -- the address of the client's metadata
  family_hash BLOB NOT NULL UNIQUE,     -- SHA-256 of what its refresh tokens begin with
  expires_at  INTEGER NOT NULL,         -- when the last of its tokens ends
  created_at  INTEGER NOT NULL
) STRICT;

-- Authorization codes. A used one stays until it expires, so that a second use is noticed.
CREATE TABLE client_codes (
  code_hash             BLOB PRIMARY KEY,  -- SHA-256 of the code, which is not stored
  customer_id           INTEGER NOT NULL REFERENCES customers (id),
  client_id             TEXT NOT NULL,
  client_name           TEXT NOT NULL,
  redirect_uri          TEXT NOT NULL,
  code_challenge        TEXT NOT NULL,     -- of PKCE, method S256
  credits_per_month_max INTEGER NOT NULL CHECK (credits_per_month_max > 0),
  expires_at            INTEGER NOT NULL,
  grant_id              INTEGER REFERENCES client_grants (id)  -- NULL: not used yet
) STRICT, WITHOUT ROWID;
CREATE INDEX client_codes_by_customer ON client_codes (customer_id, expires_at);

CREATE TABLE client_tokens (
  token_hash BLOB PRIMARY KEY,          -- SHA-256 of the token, which is not stored
  grant_id   INTEGER NOT NULL REFERENCES client_grants (id),
  kind       TEXT NOT NULL CHECK (kind IN ('access', 'refresh')),
  expires_at INTEGER NOT NULL,
  used_at    INTEGER                    -- when a refresh token was first used; NULL: not yet
) STRICT, WITHOUT ROWID;
CREATE INDEX client_tokens_by_grant ON client_tokens (grant_id, kind, expires_at);


-- Ledger ---------------------------------------------------------------------------------------

-- topup    credit was added
-- hold     a search started
-- settle   the search was answered
-- release  the search failed and costs nothing
-- refund   the search was answered, and its credit was returned
-- adjust   the credit of a payment was taken back after a refund or a dispute, or restored
CREATE TABLE ledger_entries (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  key_id      INTEGER REFERENCES api_keys (id),
  kind        TEXT NOT NULL,
  credits     INTEGER NOT NULL,         -- what the entry adds to the balance
  balance     INTEGER NOT NULL,         -- the balance after it
  request_id  TEXT,                     -- the search of this entry
  reference   TEXT,                     -- the payment of this entry
  note        TEXT,
  created_at  INTEGER NOT NULL,
  call        TEXT                      -- what a hold is for; NULL: a search
    CHECK (call IS NULL OR (kind = 'hold' AND call IN ('search', 'paper', 'similar', 'verify'))),
  CHECK (CASE kind
    WHEN 'topup'   THEN credits > 0 AND request_id IS NULL
    WHEN 'adjust'  THEN credits <> 0 AND request_id IS NULL AND key_id IS NULL
                        AND reference IS NOT NULL
    WHEN 'hold'    THEN credits < 0 AND request_id IS NOT NULL AND key_id IS NOT NULL
    WHEN 'settle'  THEN credits = 0 AND request_id IS NOT NULL AND key_id IS NOT NULL
    WHEN 'release' THEN credits > 0 AND request_id IS NOT NULL AND key_id IS NOT NULL
    WHEN 'refund'  THEN credits > 0 AND request_id IS NOT NULL AND key_id IS NOT NULL
    ELSE 0 END)
) STRICT;
CREATE INDEX ledger_entries_by_customer ON ledger_entries (customer_id, id);
-- For the ledger of one key, and for the last search of a key.
CREATE INDEX ledger_entries_by_key ON ledger_entries (key_id, id) WHERE key_id IS NOT NULL;
-- For the kinds that are rare among a customer's searches. Common kinds do not add to this index.
CREATE INDEX ledger_entries_rare ON ledger_entries (customer_id, id, kind)
  WHERE kind NOT IN ('hold', 'settle');
-- A search has at most one entry of each kind. A payment counts once.
CREATE UNIQUE INDEX ledger_entries_by_request ON ledger_entries (request_id, kind)
  WHERE request_id IS NOT NULL;
CREATE UNIQUE INDEX ledger_entries_by_reference ON ledger_entries (reference)
  WHERE reference IS NOT NULL;

CREATE TRIGGER ledger_entries_no_update BEFORE UPDATE ON ledger_entries
BEGIN SELECT RAISE(ABORT, 'ledger entries are never changed'); END;
CREATE TRIGGER ledger_entries_no_delete BEFORE DELETE ON ledger_entries
BEGIN SELECT RAISE(ABORT, 'ledger entries are never deleted'); END;
-- INSERT OR REPLACE deletes the conflicting row without firing the trigger above.
CREATE TRIGGER ledger_entries_no_replace BEFORE INSERT ON ledger_entries
WHEN EXISTS (SELECT 1 FROM ledger_entries WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM ledger_entries WHERE request_id = NEW.request_id AND kind = NEW.kind)
  OR EXISTS (SELECT 1 FROM ledger_entries WHERE reference = NEW.reference)
BEGIN SELECT RAISE(ABORT, 'ledger entries are never replaced, and happen once'); END;

-- Credits held for searches in progress.
CREATE TABLE open_holds (
  request_id  TEXT PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  key_id      INTEGER NOT NULL REFERENCES api_keys (id),
  credits     INTEGER NOT NULL CHECK (credits > 0),
  created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;


-- Activity -------------------------------------------------------------------------------------

-- One line for each paid call and each payment. Triggers update it with the ledger's entries.
-- open      a call that runs
-- charged   a call that was answered
-- free      a call that was not charged: it failed, or its client was gone
-- refunded  a call that was answered, and its credit was returned
-- payment   credit that was bought, or that a payment took back
CREATE TABLE activity (
  id          INTEGER PRIMARY KEY REFERENCES ledger_entries (id),  -- the entry that began it
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  key_id      INTEGER REFERENCES api_keys (id),
  kind        TEXT NOT NULL
    CHECK (kind IN ('search', 'paper', 'similar', 'verify', 'topup', 'adjust')),
  outcome     TEXT NOT NULL
    CHECK (outcome IN ('open', 'charged', 'free', 'refunded', 'payment')),
  credits     INTEGER NOT NULL,         -- what all its entries add to the balance
  created_at  INTEGER NOT NULL          -- when it began
) STRICT;
CREATE INDEX activity_by_customer ON activity (customer_id, id);
CREATE INDEX activity_by_key ON activity (key_id, id) WHERE key_id IS NOT NULL;
-- For what is rare among a customer's searches.
CREATE INDEX activity_by_outcome ON activity (customer_id, outcome, id) WHERE outcome <> 'charged';
CREATE INDEX activity_by_kind ON activity (customer_id, kind, id) WHERE kind <> 'search';

-- The lines of each day on which they began, counted, so that no page has to.
CREATE TABLE activity_days (
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  day         TEXT NOT NULL,            -- in UTC, YYYY-MM-DD
  key_id      INTEGER NOT NULL,         -- 0: no key
  kind        TEXT NOT NULL,
  outcome     TEXT NOT NULL,
  lines       INTEGER NOT NULL,
  credits     INTEGER NOT NULL,
  PRIMARY KEY (customer_id, day, key_id, kind, outcome)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER activity_begins AFTER INSERT ON ledger_entries
WHEN new.kind IN ('hold', 'topup', 'adjust') BEGIN
  INSERT INTO activity VALUES (new.id, new.customer_id, new.key_id,
    CASE new.kind WHEN 'hold' THEN coalesce(new.call, 'search') ELSE new.kind END,
    CASE new.kind WHEN 'hold' THEN 'open' ELSE 'payment' END, new.credits, new.created_at);
END;
CREATE TRIGGER activity_ends AFTER INSERT ON ledger_entries
WHEN new.kind IN ('settle', 'release', 'refund') BEGIN
  UPDATE activity SET credits = credits + new.credits,
    outcome = CASE new.kind WHEN 'settle' THEN 'charged' WHEN 'release' THEN 'free' ELSE 'refunded' END
  WHERE id = (SELECT id FROM ledger_entries WHERE request_id = new.request_id AND kind = 'hold');
END;
CREATE TRIGGER activity_days_added AFTER INSERT ON activity BEGIN
  INSERT INTO activity_days VALUES (new.customer_id,
    strftime('%Y-%m-%d', new.created_at / 1000, 'unixepoch'), coalesce(new.key_id, 0),
    new.kind, new.outcome, 1, new.credits)
  ON CONFLICT DO UPDATE SET lines = lines + 1, credits = credits + excluded.credits;
END;
CREATE TRIGGER activity_days_changed AFTER UPDATE ON activity BEGIN
  UPDATE activity_days SET lines = lines - 1, credits = credits - old.credits
  WHERE customer_id = old.customer_id
    AND day = strftime('%Y-%m-%d', old.created_at / 1000, 'unixepoch')
    AND key_id = coalesce(old.key_id, 0) AND kind = old.kind AND outcome = old.outcome;
  INSERT INTO activity_days VALUES (new.customer_id,
    strftime('%Y-%m-%d', new.created_at / 1000, 'unixepoch'), coalesce(new.key_id, 0),
    new.kind, new.outcome, 1, new.credits)
  ON CONFLICT DO UPDATE SET lines = lines + 1, credits = credits + excluded.credits;
END;


-- Stored answers -------------------------------------------------------------------------------

-- Answers to requests with an Idempotency-Key. Each is written with the ledger entries that charge
-- for it, in one transaction, and deleted some time after it has expired.
CREATE TABLE stored_answers (
  customer_id     INTEGER NOT NULL REFERENCES customers (id),
  idempotency_key TEXT NOT NULL,
  fingerprint     BLOB NOT NULL,        -- SHA-256 of the path and the body of the request
  request_id      TEXT NOT NULL,        -- the request that was answered first
  headers         TEXT NOT NULL,        -- those that belong to the answer, as a JSON object
  body            TEXT NOT NULL,
  bytes           INTEGER NOT NULL,     -- of the body and the headers
  expires_at      INTEGER NOT NULL,
  PRIMARY KEY (customer_id, idempotency_key)
) STRICT;
CREATE INDEX stored_answers_by_expiry ON stored_answers (expires_at);

-- The size of `stored_answers`. Triggers update it, because counting many takes a long time.
CREATE TABLE stored_answer_totals (
  customer_id INTEGER PRIMARY KEY,      -- 0: of all customers
  answers     INTEGER NOT NULL,
  bytes       INTEGER NOT NULL
) STRICT;
CREATE TRIGGER stored_answers_added AFTER INSERT ON stored_answers BEGIN
  INSERT INTO stored_answer_totals VALUES (0, 1, new.bytes), (new.customer_id, 1, new.bytes)
  ON CONFLICT DO UPDATE SET answers = answers + 1, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER stored_answers_deleted AFTER DELETE ON stored_answers BEGIN
  UPDATE stored_answer_totals SET answers = answers - 1, bytes = bytes - old.bytes
  WHERE customer_id IN (0, old.customer_id);
END;
CREATE TRIGGER stored_answers_no_update BEFORE UPDATE ON stored_answers
BEGIN SELECT RAISE(ABORT, 'stored answers are never changed'); END;


-- Usage ----------------------------------------------------------------------------------------

CREATE TABLE usage (
  key_id   INTEGER NOT NULL REFERENCES api_keys (id),
  period   TEXT NOT NULL,               -- calendar month in UTC, YYYY-MM
  requests INTEGER NOT NULL,
  credits  INTEGER NOT NULL,            -- without refunded credits
  PRIMARY KEY (key_id, period)
) STRICT, WITHOUT ROWID;

CREATE TABLE usage_days (
  key_id   INTEGER NOT NULL REFERENCES api_keys (id),
  day      TEXT NOT NULL,               -- the day of the charge in UTC, YYYY-MM-DD
  requests INTEGER NOT NULL,
  credits  INTEGER NOT NULL,            -- without refunded credits
  PRIMARY KEY (key_id, day)
) STRICT, WITHOUT ROWID;


-- Answered calls of a key on a day, by latency. Each row counts those up to its bound and above the
-- next smaller one. Deleted after some time, as `lane_days`.
CREATE TABLE latency_days (
  key_id   INTEGER NOT NULL REFERENCES api_keys (id),
  day      TEXT NOT NULL,               -- the day of the charge in UTC, YYYY-MM-DD
  bound_ms INTEGER NOT NULL,            -- 2147483647: beyond all other bounds
  calls    INTEGER NOT NULL,
  PRIMARY KEY (key_id, day, bound_ms)
) STRICT, WITHOUT ROWID;
CREATE INDEX latency_days_by_day ON latency_days (day);

-- Answered calls of a key on a day to which a lane contributed documents.
CREATE TABLE lane_days (
  key_id INTEGER NOT NULL REFERENCES api_keys (id),
  day    TEXT NOT NULL,                 -- the day of the charge in UTC, YYYY-MM-DD
  lane   TEXT NOT NULL,                 -- 'corpus': no lane contributed
  calls  INTEGER NOT NULL,
  PRIMARY KEY (key_id, day, lane)
) STRICT, WITHOUT ROWID;
CREATE INDEX lane_days_by_day ON lane_days (day);

-- Answered searches of a key on a day, by what came of them.
CREATE TABLE outcome_days (
  key_id  INTEGER NOT NULL REFERENCES api_keys (id),
  day     TEXT NOT NULL,                -- the day of the charge in UTC, YYYY-MM-DD
  outcome TEXT NOT NULL,                -- 'close': the index had something close; 'no_lanes': no
                                        -- lane was on; otherwise, what came of the lanes
  calls   INTEGER NOT NULL,
  PRIMARY KEY (key_id, day, outcome)
) STRICT, WITHOUT ROWID;
CREATE INDEX outcome_days_by_day ON outcome_days (day);

-- Questions to which the index had nothing close, if the operator keeps them. Deleted after some time.
CREATE TABLE kept_questions (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_id INTEGER NOT NULL REFERENCES customers (id),  -- whose account takes it along
  text        TEXT NOT NULL,
  outcome     TEXT NOT NULL,            -- as in outcome_days
  asked_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX kept_questions_by_customer ON kept_questions (customer_id);
CREATE INDEX kept_questions_by_time ON kept_questions (asked_at);


-- Payments -------------------------------------------------------------------------------------

-- Orders of customers and their states.
CREATE TABLE payments (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  order_id       TEXT NOT NULL UNIQUE,  -- created with the form; one id is one purchase
  customer_id    INTEGER NOT NULL REFERENCES customers (id),
  credits        INTEGER NOT NULL CHECK (credits > 0),
  amount         INTEGER NOT NULL CHECK (amount > 0),  -- in the smallest unit of the currency
  currency       TEXT NOT NULL,
  session        TEXT UNIQUE,           -- Stripe's Checkout session; NULL: not known yet
  url            TEXT,                  -- where the customer pays
  expires_at     INTEGER,               -- when the customer can no longer pay
  payment_intent TEXT UNIQUE,           -- identifies the payment in refunds and disputes
  state          TEXT NOT NULL DEFAULT 'ordered'
    CHECK (state IN ('ordered', 'unpaid', 'paid', 'failed', 'expired', 'mismatch')),
  credits_given  INTEGER NOT NULL DEFAULT 0,  -- the sum of its ledger entries
  created_at     INTEGER NOT NULL,
  stripe_customer TEXT,                 -- of an automatic order: whose card is charged
  payment_method TEXT,                  -- of an automatic order: the card; NULL: the customer pays
  ask_at         INTEGER,               -- when to ask Stripe for an automatic order; NULL: no more
  CHECK (credits_given BETWEEN 0 AND credits)
) STRICT;
CREATE INDEX payments_by_customer ON payments (customer_id, created_at);
CREATE INDEX payments_to_ask ON payments (ask_at) WHERE ask_at IS NOT NULL;

-- The events that Stripe sent. Each event counts once, whatever its result.
CREATE TABLE payment_events (
  id          TEXT PRIMARY KEY,
  kind        TEXT NOT NULL,
  payment_id  INTEGER REFERENCES payments (id),
  problem     TEXT,                     -- why an operator should look at it; NULL: nothing is wrong
  created_at  INTEGER NOT NULL,         -- by Stripe's clock
  received_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX payment_events_by_payment ON payment_events (payment_id);

-- Refunds and disputes name only the payment intent, and may arrive before the payment.
CREATE TABLE refunds (
  id             TEXT PRIMARY KEY,
  payment_intent TEXT NOT NULL,
  amount         INTEGER NOT NULL CHECK (amount >= 0),
  currency       TEXT NOT NULL,
  failed         INTEGER NOT NULL       -- 1: the money stayed with the seller after all
) STRICT, WITHOUT ROWID;
CREATE INDEX refunds_by_intent ON refunds (payment_intent);
CREATE TABLE payment_refunds (
  payment_intent TEXT PRIMARY KEY,
  amount         INTEGER NOT NULL CHECK (amount >= 0),  -- all refunds together, failed ones too
  currency       TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE payment_disputes (
  id             TEXT PRIMARY KEY,
  payment_intent TEXT NOT NULL,
  amount         INTEGER NOT NULL CHECK (amount >= 0),
  currency       TEXT NOT NULL,
  takes_back     INTEGER NOT NULL,      -- 1: the payer has the money back, or may get it
  changed_at     INTEGER NOT NULL       -- by Stripe's clock
) STRICT, WITHOUT ROWID;
CREATE INDEX payment_disputes_by_intent ON payment_disputes (payment_intent);


-- Mail about billing ----------------------------------------------------------------------------

-- A row is written with the change that gives the reason, and claimed just before the mail is handed
-- to the mail server. It stays, so that there is no second mail, until the reason is gone.
-- low_balance    the balance fell below the customer's warning; deleted when credit is added
-- top_up_paused  automatic top-up was paused; deleted when the customer agrees again
-- top_up_limit   the month allows no further automatic order; deleted when one is placed, or the customer
--                agrees again
CREATE TABLE billing_notices (
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  kind        TEXT NOT NULL,
  attempts    INTEGER NOT NULL DEFAULT 0,
  retry_at    INTEGER NOT NULL DEFAULT 0,  -- not before
  claimed_at  INTEGER,                  -- NULL: waits to be sent
  PRIMARY KEY (customer_id, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX billing_notices_waiting ON billing_notices (retry_at) WHERE claimed_at IS NULL;

CREATE TRIGGER balance_fell AFTER UPDATE OF balance ON customers
WHEN new.balance < new.low_balance AND old.balance >= new.low_balance BEGIN
  INSERT OR IGNORE INTO billing_notices (customer_id, kind) VALUES (new.id, 'low_balance');
END;


-- What customers want on their receipts. Empty texts: nothing.
CREATE TABLE buyers (
  customer_id INTEGER PRIMARY KEY REFERENCES customers (id),
  address     TEXT NOT NULL,            -- name and postal address, with line breaks
  tax_id      TEXT NOT NULL             -- any text
) STRICT;


-- Automatic top-up ----------------------------------------------------------------------------

-- What a customer has agreed to. Orders are payments with a payment method.
CREATE TABLE automatic_top_ups (
  customer_id          INTEGER PRIMARY KEY REFERENCES customers (id),
  set_up               TEXT NOT NULL UNIQUE,  -- created with the form; the session for the card names it
  threshold            INTEGER NOT NULL CHECK (threshold > 0),  -- in credits
  credits              INTEGER NOT NULL CHECK (credits > 0),    -- of the pack
  amount               INTEGER NOT NULL CHECK (amount > 0),     -- of the pack
  currency             TEXT NOT NULL,
  amount_per_month_max INTEGER NOT NULL CHECK (amount_per_month_max >= amount),
  agreed_at            INTEGER NOT NULL,
  stripe_customer      TEXT,            -- NULL until Stripe has saved a card
  payment_method       TEXT,            -- Stripe's name of the card
  card                 TEXT,            -- such as 'visa 4242'
  paused_for           TEXT,            -- why no order is placed; NULL: not paused
  due_at               INTEGER          -- when to see whether to order; NULL: the balance is above
) STRICT;
CREATE INDEX automatic_top_ups_due ON automatic_top_ups (due_at) WHERE due_at IS NOT NULL;

-- Cards to be removed at Stripe, because automatic top-up was turned off.
CREATE TABLE card_removals (
  stripe_customer TEXT PRIMARY KEY,
  payment_method  TEXT,
  retry_at        INTEGER NOT NULL      -- not before
) STRICT, WITHOUT ROWID;

CREATE TRIGGER top_up_due AFTER UPDATE OF balance ON customers
WHEN new.balance < new.top_up_below AND old.balance >= new.top_up_below BEGIN
  UPDATE automatic_top_ups SET due_at = 0 WHERE customer_id = new.id;
END;


-- Operators ------------------------------------------------------------------------------------

-- What operators changed, on the command line and on their pages. Each row is written in the
-- transaction of its change, and is never changed or deleted.
CREATE TABLE operator_actions (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  at          INTEGER NOT NULL,
  actor       TEXT NOT NULL,            -- the address of an operator, 'loopback', or 'command line'
  action      TEXT NOT NULL,            -- as the command is called: 'credit add'
  customer_id INTEGER REFERENCES customers (id),  -- NULL: not about one customer
  subject     TEXT,                     -- the prefix of a key, or the id of a request
  details     TEXT,
  submission  TEXT UNIQUE               -- names the copy of a form, which acts once
) STRICT;
CREATE INDEX operator_actions_by_customer ON operator_actions (customer_id, id);
CREATE TRIGGER operator_actions_no_update BEFORE UPDATE ON operator_actions
BEGIN SELECT RAISE(ABORT, 'actions of operators are never changed'); END;
CREATE TRIGGER operator_actions_no_delete BEFORE DELETE ON operator_actions
BEGIN SELECT RAISE(ABORT, 'actions of operators are never deleted'); END;
-- INSERT OR REPLACE deletes the conflicting row without firing the trigger above.
CREATE TRIGGER operator_actions_no_replace BEFORE INSERT ON operator_actions
WHEN EXISTS (SELECT 1 FROM operator_actions WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM operator_actions WHERE submission = NEW.submission)
BEGIN SELECT RAISE(ABORT, 'actions of operators are never replaced'); END;

-- Who may open the operator's pages at the service's own address. An operator is no customer, even
-- with the same address.
CREATE TABLE operators (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  email           TEXT NOT NULL UNIQUE, -- in lower case
  created_at      INTEGER NOT NULL,
  password_hash   TEXT,                 -- NULL: has not used the link yet
  secret          BLOB,                 -- of the authenticator app
  used_step       INTEGER,              -- the last time step whose code was used
  enrolled_at     INTEGER,              -- when the app was set up
  browser_key     BLOB,                 -- signs the cookies of known browsers; NULL: none
  link_hash       BLOB UNIQUE,          -- SHA-256 of the one-time link's token; NULL: no link
  link_expires_at INTEGER,
  CHECK ((password_hash IS NULL) = (secret IS NULL) AND (secret IS NULL) = (used_step IS NULL)
    AND (secret IS NULL) = (enrolled_at IS NULL))
) STRICT;
CREATE TABLE operator_recovery_codes (
  operator_id INTEGER NOT NULL REFERENCES operators (id),
  code_hash   BLOB NOT NULL,            -- SHA-256; the row goes when the code is used
  PRIMARY KEY (operator_id, code_hash)
) STRICT, WITHOUT ROWID;
CREATE TABLE operator_sessions (
  token_hash  BLOB PRIMARY KEY,         -- SHA-256 of the token, which is not stored
  operator_id INTEGER NOT NULL REFERENCES operators (id),
  created_at  INTEGER NOT NULL,
  seen_at     INTEGER NOT NULL,         -- accurate to about a minute
  device      TEXT,                     -- such as 'Firefox on Linux'
  address     TEXT                      -- the network address of the sign-in
) STRICT, WITHOUT ROWID;
CREATE INDEX operator_sessions_by_operator ON operator_sessions (operator_id, seen_at);

-- Place ----------------------------------------------------------------------------------------

-- Whether the accounts are used here, or have moved to PostgreSQL with `verbatim accounts move`.
CREATE TABLE account_place (
  id      INTEGER PRIMARY KEY CHECK (id = 1),
  state   TEXT NOT NULL CHECK (state IN ('here', 'away')),  -- away: a copy of what they were
  move    TEXT,                         -- the id of the last move to or from here
  pending TEXT,                         -- the id of a move that has begun and is not over
  other   TEXT                          -- the other database, without its password
) STRICT;
INSERT INTO account_place (id, state) VALUES (1, 'here');
-- For programs that opened the file before the move was over.
CREATE TRIGGER ledger_entries_moved BEFORE INSERT ON ledger_entries
WHEN (SELECT state FROM account_place) = 'away'
BEGIN SELECT RAISE(ABORT, 'the accounts have moved to another database'); END;
CREATE TRIGGER operator_actions_moved BEFORE INSERT ON operator_actions
WHEN (SELECT state FROM account_place) = 'away'
BEGIN SELECT RAISE(ABORT, 'the accounts have moved to another database'); END;

-- Audits that operators started on their pages. The oldest ones are deleted.
CREATE TABLE ledger_audits (
  id               INTEGER PRIMARY KEY AUTOINCREMENT,
  started_at       INTEGER NOT NULL,
  ended_at         INTEGER NOT NULL,
  actor            TEXT NOT NULL,       -- who started it, as in operator_actions
  customers        INTEGER NOT NULL,
  entries          INTEGER NOT NULL,
  held             INTEGER NOT NULL,    -- in credits, for searches in flight
  difference_count INTEGER NOT NULL,
  differences      TEXT NOT NULL        -- the first of them, as a JSON array of sentences
) STRICT;
