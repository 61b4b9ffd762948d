/** Step 9: which documents have a term. The next build, or `index optimize`, fills the lists. */
import type { Step } from './step.ts';

export const postings: Step = {
  name: 'postings',
  sql: `
CREATE TABLE postings (
  term      INTEGER NOT NULL,
  part      INTEGER NOT NULL,
  documents BLOB NOT NULL,
  PRIMARY KEY (term, part)
) WITHOUT ROWID;

-- The last document that is in the lists.
INSERT INTO index_facts (name, value) VALUES ('listed', 0);
`,
};
