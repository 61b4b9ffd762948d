/** Refunds one by one, because a refund can fail. */
export const singleRefunds = `
CREATE TABLE refunds (
  id             text PRIMARY KEY,
  payment_intent text NOT NULL,
  amount         bigint NOT NULL CHECK (amount >= 0),
  currency       text NOT NULL,
  failed         boolean NOT NULL
);
CREATE INDEX refunds_by_intent ON refunds (payment_intent);
`;
