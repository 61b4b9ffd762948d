/** Step 46: which works papers cite, and who cites a work. */
export const citations = {
  name: 'citations',
  sql: `
ALTER TABLE source_records ADD COLUMN cited BLOB;
CREATE TABLE citations (
  key       INTEGER NOT NULL,
  block     INTEGER NOT NULL,
  work      TEXT NOT NULL,
  documents BLOB NOT NULL,
  PRIMARY KEY (key, block)
) WITHOUT ROWID;
`,
};
