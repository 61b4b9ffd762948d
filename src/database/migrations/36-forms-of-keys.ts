/** Step 36: the form that created a key, so that a form counts once at all servers. */
import type { Step } from './step.ts';

export const formsOfKeys: Step = {
  name: 'forms of keys',
  sql: `
ALTER TABLE api_keys ADD COLUMN form_copy TEXT;
CREATE UNIQUE INDEX api_keys_by_form ON api_keys (customer_id, form_copy)
  WHERE form_copy IS NOT NULL;
`,
};
