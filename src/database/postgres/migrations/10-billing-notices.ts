/** Mail that customers get about billing, queued in the transaction that gives the reason. */
export const billingNotices = `
CREATE TABLE billing_notices (
  customer_id bigint NOT NULL REFERENCES customers,
  kind        text NOT NULL,
  attempts    bigint NOT NULL DEFAULT 0,
  retry_at    bigint NOT NULL DEFAULT 0,
  claimed_at  bigint,
  PRIMARY KEY (customer_id, kind)
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
`;
