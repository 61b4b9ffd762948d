/** Step 20: what was called a form copy is the idempotency key of a form. */
export const idempotencyKeys = `
DROP INDEX api_keys_by_form;
ALTER TABLE api_keys RENAME COLUMN form_copy TO idempotency_key;
CREATE UNIQUE INDEX api_keys_by_idempotency_key ON api_keys (customer_id, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
`;
