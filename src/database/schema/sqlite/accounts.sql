-- Customers, API keys, members, clients, and operators.
--
--   customers, api_keys, replaced_secrets        who may search
--   members, sign_in_links, sessions             who signs in for customers, and how
--   second_factors, recovery_codes               what they prove besides their password
--   client_grants, client_codes, client_tokens   what customers granted to OAuth clients
--   operator_actions                             what operators changed
--   operators, operator_recovery_codes, operator_sessions   who signs in as an operator, and how
--   alert_settings, alert_states                 what operators are alerted of, and what they were told
--   account_place                                whether all of this is in use, or has moved
--
-- Nothing in this file, in ledger.sql, or in payments.sql refers to the index. All times are milliseconds
-- since 1970, UTC.


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
  top_up_below  INTEGER,                                -- order credit below this; NULL: never
  asked_days    INTEGER NOT NULL DEFAULT 0,             -- how long the text of requests is kept; 0: it is not
  operator_note TEXT,                                   -- which only operators see; NULL: none
  unconfirmed_since INTEGER,                            -- registered, and no password yet; NULL: confirmed,
                                                        -- or added by an operator
  account_name  TEXT NOT NULL DEFAULT '',               -- empty: it is called by its address
  time_zone     TEXT NOT NULL DEFAULT 'UTC'             -- in which its pages show times
) STRICT;
CREATE INDEX customers_unconfirmed ON customers (unconfirmed_since) WHERE unconfirmed_since IS NOT NULL;

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
  idempotency_key       TEXT                            -- of the form that created it, which counts once
) STRICT;
CREATE INDEX api_keys_by_customer ON api_keys (customer_id, id);
CREATE UNIQUE INDEX api_keys_by_idempotency_key ON api_keys (customer_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;

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


-- Alerts ---------------------------------------------------------------------------------------

-- What operators are alerted of, where they chose something. The program has the defaults.
CREATE TABLE alert_settings (
  kind      TEXT PRIMARY KEY,
  is_on     INTEGER NOT NULL,           -- 1: messages are sent
  threshold INTEGER NOT NULL            -- in a unit that depends on the kind
) STRICT, WITHOUT ROWID;

-- What operators were told.
CREATE TABLE alert_states (
  kind      TEXT NOT NULL,
  server    TEXT NOT NULL,              -- '': of all servers together
  channel   TEXT NOT NULL,              -- 'mail' or 'webhook'
  is_raised INTEGER NOT NULL,           -- 1: the last message was that it began
  told      INTEGER NOT NULL,           -- since when it was, in the last of these messages; 0: none
  tried_at  INTEGER NOT NULL,           -- when a server last took it upon itself to send a message
  PRIMARY KEY (kind, server, channel)
) STRICT, WITHOUT ROWID;


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
CREATE TRIGGER operator_actions_moved BEFORE INSERT ON operator_actions
WHEN (SELECT state FROM account_place) = 'away'
BEGIN SELECT RAISE(ABORT, 'the accounts have moved to another database'); END;
