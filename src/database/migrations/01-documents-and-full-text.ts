/** Step 1: the documents, their full text, and their vectors in the first form. */
import type { Step } from './step.ts';

export const documentsAndFullText: Step = {
  name: 'documents, full text and vectors',
  sql: `
CREATE TABLE documents (
  number         INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,
  title          TEXT NOT NULL,
  abstract       TEXT NOT NULL,
  year           INTEGER NOT NULL,
  authors        TEXT NOT NULL,       -- JSON array of names
  venue          TEXT NOT NULL,
  content_hash   BLOB NOT NULL,       -- tells whether a record has changed
  sentence_spans BLOB NOT NULL        -- pairs of little-endian uint32: start, end in UTF-16 units
);

-- porter: "stars" finds "star". External content: the text is kept once, in documents, and
-- FTS5's own integrity check compares the index with it.
CREATE VIRTUAL TABLE documents_text USING fts5(
  title, abstract,
  content = 'documents', content_rowid = 'number',
  tokenize = 'porter unicode61 remove_diacritics 2'
);

CREATE TABLE embeddings (
  document INTEGER PRIMARY KEY REFERENCES documents (number) ON DELETE CASCADE,
  vectors  BLOB NOT NULL
);

CREATE TABLE signatures (
  document INTEGER PRIMARY KEY REFERENCES documents (number) ON DELETE CASCADE,
  bits     BLOB NOT NULL
);

CREATE TABLE index_facts (
  name  TEXT PRIMARY KEY,
  value ANY NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO index_facts (name, value) VALUES ('documents', 0), ('sentences', 0);
`,
};
