/** Refunds one by one, and what customers want on their receipts. */
export const singleRefundsAndBillingDetails = `
CREATE TABLE refunds (
  id             text PRIMARY KEY,
  payment_intent text NOT NULL,
  amount         bigint NOT NULL CHECK (amount >= 0),
  currency       text NOT NULL,
  failed         boolean NOT NULL
);
CREATE INDEX refunds_by_intent ON refunds (payment_intent);
ALTER TABLE customers ADD COLUMN billing_details text;
`;
