/** Step 31: what customers want on their receipts. */
import type { Step } from './step.ts';

export const buyers: Step = {
  name: 'buyers',
  sql: `
CREATE TABLE buyers (
  customer_id INTEGER PRIMARY KEY REFERENCES customers (id),
  address     TEXT NOT NULL,
  tax_id      TEXT NOT NULL
) STRICT;
`,
};
