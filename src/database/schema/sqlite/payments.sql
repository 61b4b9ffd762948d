-- Credit that customers buy through Stripe.
--
--   payments, payment_events, refunds, payment_refunds, payment_disputes
--                                                orders, and what Stripe said of them
--   billing_notices                              mail about billing, until it is sent
--   buyers                                       what customers want on their receipts
--   automatic_top_ups, card_removals             credit that the server orders with a saved card


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
  receipt        INTEGER,               -- its number among the receipts of its customer; NULL: not paid
  canceled_at    INTEGER,               -- when its customer gave up the order; NULL: not
  CHECK (credits_given BETWEEN 0 AND credits)
) STRICT;
CREATE INDEX payments_by_customer ON payments (customer_id, created_at);
CREATE UNIQUE INDEX payments_by_receipt ON payments (customer_id, receipt) WHERE receipt IS NOT NULL;
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
CREATE INDEX payment_events_with_problems ON payment_events (received_at) WHERE problem IS NOT NULL;

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
CREATE INDEX payment_disputes_by_change ON payment_disputes (changed_at);


-- Mail about billing ----------------------------------------------------------------------------

-- A row is written with the change that gives the reason, and claimed just before the mail is handed
-- to the mail server. It stays, so that there is no second mail, until the reason is gone.
-- low_balance    the balance fell below the customer's warning; deleted when credit is added
-- top_up_paused  automatic top-up was paused; deleted when the customer agrees again
-- top_up_limit   the month allows no further automatic order; deleted when one is placed, or the customer
--                agrees again
-- receipt        a payment has arrived
CREATE TABLE billing_notices (
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  kind        TEXT NOT NULL,
  attempts    INTEGER NOT NULL DEFAULT 0,
  retry_at    INTEGER NOT NULL DEFAULT 0,  -- not before
  claimed_at  INTEGER,                  -- NULL: waits to be sent
  payment_id  INTEGER NOT NULL DEFAULT 0,  -- 0: it is about no payment
  PRIMARY KEY (customer_id, kind, payment_id)
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
