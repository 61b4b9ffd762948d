/** Step 30: automatic top-up: what customers have agreed to, and orders that the server places. */
import type { Step } from './step.ts';

export const automaticTopUps: Step = {
  name: 'automatic top-ups',
  sql: `
ALTER TABLE customers ADD COLUMN top_up_below INTEGER;
ALTER TABLE payments ADD COLUMN stripe_customer TEXT;
ALTER TABLE payments ADD COLUMN payment_method TEXT;
ALTER TABLE payments ADD COLUMN ask_at INTEGER;
CREATE INDEX payments_to_ask ON payments (ask_at) WHERE ask_at IS NOT NULL;

CREATE TABLE automatic_top_ups (
  customer_id          INTEGER PRIMARY KEY REFERENCES customers (id),
  set_up               TEXT NOT NULL UNIQUE,
  threshold            INTEGER NOT NULL CHECK (threshold > 0),
  credits              INTEGER NOT NULL CHECK (credits > 0),
  amount               INTEGER NOT NULL CHECK (amount > 0),
  currency             TEXT NOT NULL,
  amount_per_month_max INTEGER NOT NULL CHECK (amount_per_month_max >= amount),
  agreed_at            INTEGER NOT NULL,
  stripe_customer      TEXT,
  payment_method       TEXT,
  card                 TEXT,
  paused_for           TEXT,
  due_at               INTEGER
) STRICT;
CREATE INDEX automatic_top_ups_due ON automatic_top_ups (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE card_removals (
  stripe_customer TEXT PRIMARY KEY,
  payment_method  TEXT,
  retry_at        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER top_up_due AFTER UPDATE OF balance ON customers
WHEN new.balance < new.top_up_below AND old.balance >= new.top_up_below BEGIN
  UPDATE automatic_top_ups SET due_at = 0 WHERE customer_id = new.id;
END;
`,
};
