/** Step 10: what recognizes the browsers that a customer has signed in with. */
import type { Step } from './step.ts';

export const knownBrowsers: Step = {
  name: 'known browsers',
  sql: `
ALTER TABLE customers ADD COLUMN browser_key BLOB;         -- NULL: no browser is known
`,
};
