/** Step 24: since when a customer who registered has not chosen a password. Unknown of earlier ones. */
export const unconfirmedCustomers = `
ALTER TABLE customers ADD COLUMN unconfirmed_since bigint;
CREATE INDEX customers_unconfirmed ON customers (unconfirmed_since) WHERE unconfirmed_since IS NOT NULL;
`;
