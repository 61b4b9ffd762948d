/** Step 28: mail that customers get about billing, queued in the transaction that gives the reason. */
import type { Step } from './step.ts';

export const billingNotices: Step = {
  name: 'billing notices',
  sql: `
CREATE TABLE billing_notices (
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  kind        TEXT NOT NULL,
  attempts    INTEGER NOT NULL DEFAULT 0,
  retry_at    INTEGER NOT NULL DEFAULT 0,
  claimed_at  INTEGER,
  PRIMARY KEY (customer_id, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX billing_notices_waiting ON billing_notices (retry_at) WHERE claimed_at IS NULL;

CREATE TRIGGER balance_fell AFTER UPDATE OF balance ON customers
WHEN new.balance < new.low_balance AND old.balance >= new.low_balance BEGIN
  INSERT OR IGNORE INTO billing_notices (customer_id, kind) VALUES (new.id, 'low_balance');
END;
`,
};
