/** Step 11: the lanes that customers allow, for all their keys and for one of them. */
import type { Step } from './step.ts';

export const laneChoices: Step = {
  name: 'lanes that customers allow',
  sql: `
ALTER TABLE customers ADD COLUMN lanes TEXT;  -- as in lane-choice.ts; NULL: all
ALTER TABLE api_keys ADD COLUMN lanes TEXT;
`,
};
