/** Step 23: refunds one by one, and what customers want on their receipts. */
import type { Step } from './step.ts';

export const singleRefundsAndBillingDetails: Step = {
  name: 'single refunds and billing details',
  sql: `
CREATE TABLE refunds (
  id             TEXT PRIMARY KEY,
  payment_intent TEXT NOT NULL,
  amount         INTEGER NOT NULL CHECK (amount >= 0),
  currency       TEXT NOT NULL,
  failed         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX refunds_by_intent ON refunds (payment_intent);
ALTER TABLE customers ADD COLUMN billing_details TEXT;
`,
};
