/** Step 39: what happens to papers from now on, for readers who follow the index, and an id that names it. */
export const paperChanges = {
  name: 'changes of papers',
  sql: `
CREATE TABLE paper_changes (
  sequence INTEGER PRIMARY KEY,
  id       TEXT NOT NULL UNIQUE,
  added    INTEGER NOT NULL,
  reason   TEXT
);
INSERT INTO index_facts (name, value) VALUES ('id', lower(hex(randomblob(16))));
`,
};
