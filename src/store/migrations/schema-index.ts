/**
 * The tables of the index, as the steps that make them.
 *
 *   documents         one row a paper: its text and where its sentences stand
 *   documents_text    full-text index over title and abstract; holds no text of its own
 *   signals           what a paper is scored by: which terms it has and where, and its vectors
 *   term_counts       in how many papers a term occurs
 *   cells, cell_members, document_cells
 *                     papers grouped by their own vectors (see cells.ts)
 *   index_facts       the model that made the vectors, the totals, and two numbers that change with
 *                     the index and with its cells, so that a reader knows when to read again
 *
 * One blob of signals a paper, and not one row a sentence: choosing the best sentence reads all
 * vectors together, and a row each would cost ten times the seeks.
 */

/** The first form of the index; what it says of embeddings and signatures is no longer so. */
export const firstIndexTables = `
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
`;

/** Terms and cells instead of FTS5's ranking and of signatures; upgrade-index.ts fills them. */
export const rankedIndexTables = `
DROP TABLE documents_text;
-- porter: "stars" finds "star". External content: the text is kept once, in documents, and
-- FTS5's own integrity check compares the index with it. Ranking is done by the signals, so FTS5
-- need not know where in a text a word stands.
CREATE VIRTUAL TABLE documents_text USING fts5(
  title, abstract,
  content = 'documents', content_rowid = 'number',
  tokenize = 'porter unicode61 remove_diacritics 2',
  detail = none, columnsize = 0
);

DROP TABLE signatures;
CREATE TABLE signals (
  document INTEGER PRIMARY KEY REFERENCES documents (number) ON DELETE CASCADE,
  packed   BLOB NOT NULL              -- see signals.ts
);

CREATE TABLE term_counts (
  term      INTEGER PRIMARY KEY,
  documents INTEGER NOT NULL
);

CREATE TABLE cells (
  cell   INTEGER PRIMARY KEY AUTOINCREMENT,
  centre BLOB NOT NULL                -- float32
);

-- Apart from the centres, which are read all together.
CREATE TABLE cell_members (
  cell    INTEGER PRIMARY KEY REFERENCES cells (cell) ON DELETE CASCADE,
  members BLOB NOT NULL
);

CREATE TABLE document_cells (
  document INTEGER PRIMARY KEY REFERENCES documents (number) ON DELETE CASCADE,
  cell     INTEGER NOT NULL
);

DELETE FROM index_facts WHERE name IN ('documents', 'sentences');
INSERT INTO index_facts (name, value) VALUES
  ('documents', 0), ('sentences', 0), ('terms', 0),
  ('revision', 0), ('centres', 0),
  ('arranged', 0);                    -- documents when the cells were last arranged
`;
