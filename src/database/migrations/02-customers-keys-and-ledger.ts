/** Step 2: customers, API keys and credit. */
import type { Step } from './step.ts';

export const customersKeysAndLedger: Step = {
  name: 'customers, keys and ledger',
  sql: `
CREATE TABLE customers (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  email      TEXT NOT NULL UNIQUE,
  balance    INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL         -- all times: milliseconds since 1970, UTC
) STRICT;

CREATE TABLE api_keys (
  id                  INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_id         INTEGER NOT NULL REFERENCES customers (id),
  name                TEXT NOT NULL,
  hash                BLOB NOT NULL UNIQUE,   -- SHA-256 of the secret, which is kept nowhere
  prefix              TEXT NOT NULL UNIQUE,   -- first hexadecimal digits of the hash
  requests_per_minute INTEGER,                -- NULL: the server's setting
  in_flight_max       INTEGER,                -- NULL: the server's setting
  created_at          INTEGER NOT NULL,
  revoked_at          INTEGER                 -- NULL: valid; a time to come: valid until then
) STRICT;

CREATE TABLE ledger_entries (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  key_id      INTEGER REFERENCES api_keys (id),
  kind        TEXT NOT NULL,
  credits     INTEGER NOT NULL,       -- what the entry adds to the balance
  balance     INTEGER NOT NULL,       -- the balance after it
  request_id  TEXT,                   -- the search that it belongs to
  reference   TEXT,                   -- the payment that it belongs to
  note        TEXT,
  created_at  INTEGER NOT NULL,
  CHECK (CASE kind
    WHEN 'topup'   THEN credits > 0 AND request_id IS NULL
    WHEN 'hold'    THEN credits < 0 AND request_id IS NOT NULL AND key_id IS NOT NULL
    WHEN 'settle'  THEN credits = 0 AND request_id IS NOT NULL AND key_id IS NOT NULL
    WHEN 'release' THEN credits > 0 AND request_id IS NOT NULL AND key_id IS NOT NULL
    WHEN 'refund'  THEN credits > 0 AND request_id IS NOT NULL AND key_id IS NOT NULL
    ELSE 0 END)
) STRICT;
CREATE INDEX ledger_entries_by_customer ON ledger_entries (customer_id, id);
-- A search is held, settled, released and refunded at most once each; a payment counts once.
CREATE UNIQUE INDEX ledger_entries_by_request ON ledger_entries (request_id, kind)
  WHERE request_id IS NOT NULL;
CREATE UNIQUE INDEX ledger_entries_by_reference ON ledger_entries (reference)
  WHERE reference IS NOT NULL;

CREATE TRIGGER ledger_entries_no_update BEFORE UPDATE ON ledger_entries
BEGIN SELECT RAISE(ABORT, 'ledger entries are never changed'); END;
CREATE TRIGGER ledger_entries_no_delete BEFORE DELETE ON ledger_entries
BEGIN SELECT RAISE(ABORT, 'ledger entries are never deleted'); END;
-- INSERT OR REPLACE deletes the row in its way without asking the trigger above.
CREATE TRIGGER ledger_entries_no_replace BEFORE INSERT ON ledger_entries
WHEN EXISTS (SELECT 1 FROM ledger_entries WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM ledger_entries WHERE request_id = NEW.request_id AND kind = NEW.kind)
  OR EXISTS (SELECT 1 FROM ledger_entries WHERE reference = NEW.reference)
BEGIN SELECT RAISE(ABORT, 'ledger entries are never replaced, and happen once'); END;

CREATE TABLE open_holds (
  request_id  TEXT PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  key_id      INTEGER NOT NULL REFERENCES api_keys (id),
  credits     INTEGER NOT NULL CHECK (credits > 0),
  created_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE usage (
  key_id   INTEGER NOT NULL REFERENCES api_keys (id),
  period   TEXT NOT NULL,             -- calendar month in UTC, YYYY-MM
  requests INTEGER NOT NULL,
  credits  INTEGER NOT NULL,          -- net of refunds
  PRIMARY KEY (key_id, period)
) STRICT, WITHOUT ROWID;
`,
};
