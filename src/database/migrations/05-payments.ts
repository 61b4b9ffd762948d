/**
 * Step 5: payments, and a ledger with one more kind of entry, `adjust`: it takes back the credits of a
 * payment that was refunded or is disputed, or gives them again.
 *
 * SQLite cannot change a CHECK. So the step copies the ledger into a new table with all rows and ids,
 * and creates its triggers and indexes again. Dropping a table fires no trigger.
 */
import type { Step } from './step.ts';

export const payments: Step = {
  name: 'payments',
  sql: `
CREATE TABLE ledger_entries_with_adjust (
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
    WHEN 'adjust'  THEN credits <> 0 AND request_id IS NULL AND key_id IS NULL
                        AND reference IS NOT NULL
    WHEN 'hold'    THEN credits < 0 AND request_id IS NOT NULL AND key_id IS NOT NULL
    WHEN 'settle'  THEN credits = 0 AND request_id IS NOT NULL AND key_id IS NOT NULL
    WHEN 'release' THEN credits > 0 AND request_id IS NOT NULL AND key_id IS NOT NULL
    WHEN 'refund'  THEN credits > 0 AND request_id IS NOT NULL AND key_id IS NOT NULL
    ELSE 0 END)
) STRICT;
INSERT INTO ledger_entries_with_adjust
  (id, customer_id, key_id, kind, credits, balance, request_id, reference, note, created_at)
  SELECT id, customer_id, key_id, kind, credits, balance, request_id, reference, note, created_at
  FROM ledger_entries ORDER BY id;
DROP TABLE ledger_entries;
ALTER TABLE ledger_entries_with_adjust RENAME TO ledger_entries;

CREATE INDEX ledger_entries_by_customer ON ledger_entries (customer_id, id);
CREATE UNIQUE INDEX ledger_entries_by_request ON ledger_entries (request_id, kind)
  WHERE request_id IS NOT NULL;
CREATE UNIQUE INDEX ledger_entries_by_reference ON ledger_entries (reference)
  WHERE reference IS NOT NULL;
CREATE TRIGGER ledger_entries_no_update BEFORE UPDATE ON ledger_entries
BEGIN SELECT RAISE(ABORT, 'ledger entries are never changed'); END;
CREATE TRIGGER ledger_entries_no_delete BEFORE DELETE ON ledger_entries
BEGIN SELECT RAISE(ABORT, 'ledger entries are never deleted'); END;
CREATE TRIGGER ledger_entries_no_replace BEFORE INSERT ON ledger_entries
WHEN EXISTS (SELECT 1 FROM ledger_entries WHERE id = NEW.id)
  OR EXISTS (SELECT 1 FROM ledger_entries WHERE request_id = NEW.request_id AND kind = NEW.kind)
  OR EXISTS (SELECT 1 FROM ledger_entries WHERE reference = NEW.reference)
BEGIN SELECT RAISE(ABORT, 'ledger entries are never replaced, and happen once'); END;

CREATE TABLE payments (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  order_id       TEXT NOT NULL UNIQUE,  -- made with the form: the same one is one purchase
  customer_id    INTEGER NOT NULL REFERENCES customers (id),
  credits        INTEGER NOT NULL CHECK (credits > 0),
  amount         INTEGER NOT NULL CHECK (amount > 0),  -- smallest unit of the currency
  currency       TEXT NOT NULL,
  session        TEXT UNIQUE,           -- Stripe's Checkout session, once it is known
  url            TEXT,                  -- where the customer pays
  expires_at     INTEGER,               -- until when
  payment_intent TEXT UNIQUE,           -- by which refunds and disputes name the payment
  state          TEXT NOT NULL DEFAULT 'ordered'
    CHECK (state IN ('ordered', 'unpaid', 'paid', 'failed', 'expired', 'mismatch')),
  credits_given  INTEGER NOT NULL DEFAULT 0,  -- what its entries in the ledger add up to
  created_at     INTEGER NOT NULL,
  CHECK (credits_given BETWEEN 0 AND credits)
) STRICT;
CREATE INDEX payments_by_customer ON payments (customer_id, created_at);

-- What Stripe has told: an event counts once, whatever became of it.
CREATE TABLE payment_events (
  id          TEXT PRIMARY KEY,
  kind        TEXT NOT NULL,
  payment_id  INTEGER REFERENCES payments (id),
  problem     TEXT,                     -- why an operator should look at it
  created_at  INTEGER NOT NULL,         -- by Stripe's clock
  received_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX payment_events_by_payment ON payment_events (payment_id);

-- Refunds and disputes are known by the payment intent alone, and may come before the payment.
CREATE TABLE payment_refunds (
  payment_intent TEXT PRIMARY KEY,
  amount         INTEGER NOT NULL CHECK (amount >= 0),  -- all refunds together
  currency       TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE payment_disputes (
  id             TEXT PRIMARY KEY,
  payment_intent TEXT NOT NULL,
  amount         INTEGER NOT NULL CHECK (amount >= 0),
  currency       TEXT NOT NULL,
  takes_back     INTEGER NOT NULL,      -- 1 while the money is, or may be, with the payer again
  changed_at     INTEGER NOT NULL       -- by Stripe's clock
) STRICT, WITHOUT ROWID;
CREATE INDEX payment_disputes_by_intent ON payment_disputes (payment_intent);
`,
};
