/** Step 27: refunds one by one, because a refund can fail. */
import type { Step } from './step.ts';

export const singleRefunds: Step = {
  name: 'single refunds',
  sql: `
CREATE TABLE refunds (
  id             TEXT PRIMARY KEY,
  payment_intent TEXT NOT NULL,
  amount         INTEGER NOT NULL CHECK (amount >= 0),
  currency       TEXT NOT NULL,
  failed         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX refunds_by_intent ON refunds (payment_intent);
`,
};
