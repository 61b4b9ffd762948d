/** Which documents have a term, as lists that are read in one step: see postings.ts. */
export const postingsTables = `
CREATE TABLE postings (
  term      INTEGER NOT NULL,
  part      INTEGER NOT NULL,
  documents BLOB NOT NULL,
  PRIMARY KEY (term, part)
) WITHOUT ROWID;

-- The last document that is in the lists.
INSERT INTO index_facts (name, value) VALUES ('listed', 0);
`;
