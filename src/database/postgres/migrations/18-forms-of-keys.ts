/** The form that created a key. See `schema/accounts.sql`. */
export const formsOfKeys = `
ALTER TABLE api_keys ADD COLUMN form_copy text;
CREATE UNIQUE INDEX api_keys_by_form ON api_keys (customer_id, form_copy)
  WHERE form_copy IS NOT NULL;
`;
