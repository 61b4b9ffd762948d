/** What customers want on their receipts. */
export const buyers = `
CREATE TABLE buyers (
  customer_id bigint PRIMARY KEY REFERENCES customers,
  address     text NOT NULL,
  tax_id      text NOT NULL
);
`;
