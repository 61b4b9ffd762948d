/** Automatic top-up: what customers have agreed to, and orders that the server places. */
export const automaticTopUps = `
ALTER TABLE customers ADD COLUMN top_up_below bigint;
ALTER TABLE payments ADD COLUMN stripe_customer text;
ALTER TABLE payments ADD COLUMN payment_method text;
ALTER TABLE payments ADD COLUMN ask_at bigint;
CREATE INDEX payments_to_ask ON payments (ask_at) WHERE ask_at IS NOT NULL;

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
`;
