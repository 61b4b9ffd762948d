-- Credit that customers buy through Stripe, on PostgreSQL. Tables and columns have the meaning that
-- ../sqlite/payments.sql describes.


-- Payments -------------------------------------------------------------------------------------

CREATE TABLE payments (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id        text NOT NULL UNIQUE,
  customer_id     bigint NOT NULL REFERENCES customers,
  credits         bigint NOT NULL CHECK (credits > 0),
  amount          bigint NOT NULL CHECK (amount > 0),
  currency        text NOT NULL,
  session         text UNIQUE,
  url             text,
  expires_at      bigint,
  payment_intent  text UNIQUE,
  state           text NOT NULL DEFAULT 'ordered'
    CHECK (state IN ('ordered', 'unpaid', 'paid', 'failed', 'expired', 'mismatch')),
  credits_given   bigint NOT NULL DEFAULT 0,
  created_at      bigint NOT NULL,
  stripe_customer text,
  payment_method  text,
  ask_at          bigint,
  receipt         bigint,
  canceled_at     bigint,
  CHECK (credits_given BETWEEN 0 AND credits)
);
CREATE INDEX payments_by_customer ON payments (customer_id, created_at);
CREATE UNIQUE INDEX payments_by_receipt ON payments (customer_id, receipt) WHERE receipt IS NOT NULL;
CREATE INDEX payments_to_ask ON payments (ask_at) WHERE ask_at IS NOT NULL;

CREATE TABLE payment_events (
  id          text PRIMARY KEY,
  kind        text NOT NULL,
  payment_id  bigint REFERENCES payments,
  problem     text,
  created_at  bigint NOT NULL,
  received_at bigint NOT NULL
);
CREATE INDEX payment_events_by_payment ON payment_events (payment_id);
CREATE INDEX payment_events_with_problems ON payment_events (received_at) WHERE problem IS NOT NULL;

CREATE TABLE refunds (
  id             text PRIMARY KEY,
  payment_intent text NOT NULL,
  amount         bigint NOT NULL CHECK (amount >= 0),
  currency       text NOT NULL,
  failed         boolean NOT NULL
);
CREATE INDEX refunds_by_intent ON refunds (payment_intent);

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
CREATE INDEX payment_disputes_by_change ON payment_disputes (changed_at);


-- Mail about billing ---------------------------------------------------------------------------

CREATE TABLE billing_notices (
  customer_id bigint NOT NULL REFERENCES customers,
  kind        text NOT NULL,
  attempts    bigint NOT NULL DEFAULT 0,
  retry_at    bigint NOT NULL DEFAULT 0,
  claimed_at  bigint,
  payment_id  bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (customer_id, kind, payment_id)
);
CREATE INDEX billing_notices_waiting ON billing_notices (retry_at) WHERE claimed_at IS NULL;

CREATE FUNCTION note_low_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO billing_notices (customer_id, kind) VALUES (new.id, 'low_balance')
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER balance_fell AFTER UPDATE OF balance ON customers FOR EACH ROW
  WHEN (new.balance < new.low_balance AND old.balance >= new.low_balance)
  EXECUTE FUNCTION note_low_balance();

CREATE TABLE buyers (
  customer_id bigint PRIMARY KEY REFERENCES customers,
  address     text NOT NULL,
  tax_id      text NOT NULL
);


-- Automatic top-up -----------------------------------------------------------------------------

CREATE TABLE automatic_top_ups (
  customer_id          bigint PRIMARY KEY REFERENCES customers,
  set_up               text NOT NULL UNIQUE,
  threshold            bigint NOT NULL CHECK (threshold > 0),
  credits              bigint NOT NULL CHECK (credits > 0),
  amount               bigint NOT NULL CHECK (amount > 0),
  currency             text NOT NULL,
  amount_per_month_max bigint NOT NULL CHECK (amount_per_month_max >= amount),
  agreed_at            bigint NOT NULL,
  stripe_customer      text,
  payment_method       text,
  card                 text,
  paused_for           text,
  due_at               bigint
);
CREATE INDEX automatic_top_ups_due ON automatic_top_ups (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE card_removals (
  stripe_customer text PRIMARY KEY,
  payment_method  text,
  retry_at        bigint NOT NULL
);

CREATE FUNCTION note_top_up_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE automatic_top_ups SET due_at = 0 WHERE customer_id = new.id;
  RETURN NULL;
END $$;
CREATE TRIGGER top_up_due AFTER UPDATE OF balance ON customers FOR EACH ROW
  WHEN (new.balance < new.top_up_below AND old.balance >= new.top_up_below)
  EXECUTE FUNCTION note_top_up_due();
