-- The index, as it is now. Nothing here refers to the accounts or to the lanes.
--
--   documents, documents_text            the papers and their full text
--   signals                              the forward index: what a search scores a paper by
--   term_counts, postings                BM25: document frequencies and lists of documents by term
--   cells, cell_members, document_cells  inverted lists of a vector search (IVF)
--   source_files, source_records, record_keys, withheld_documents
--                                        what each source says of a paper
--   index_builds, build_checkpoints      what builds did, and where an interrupted one goes on
--   index_facts                          the model, the totals, and the versions of what is cached
--
-- Some names are older than the words that we use for them. A comment then gives the standard word.
-- All numbers in blobs are little-endian. All times are milliseconds since 1970, UTC.


-- Papers ---------------------------------------------------------------------------------------

-- One row a paper.
CREATE TABLE documents (
  number         INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,  -- what customers see: a DOI in lower case, or a source's id
  title          TEXT NOT NULL,
  abstract       TEXT NOT NULL,         -- empty: the source has none
  year           INTEGER NOT NULL,      -- 0: not known
  authors        TEXT NOT NULL,         -- JSON array of names
  venue          TEXT NOT NULL,         -- journal or conference; empty: not known
  content_hash   BLOB NOT NULL,         -- tells one content of the document from another
  sentence_spans BLOB NOT NULL          -- pairs of uint32: start and end of each sentence of the
                                        -- abstract, in UTF-16 units
);

-- Full text of titles and abstracts. It finds the documents that have a word; it does not rank them,
-- so it does not know where in a text a word is. The stemmer lets "stars" find "star". The text
-- itself is in `documents` alone, and FTS5's own integrity check compares the two.
CREATE VIRTUAL TABLE documents_text USING fts5(
  title, abstract,
  content = 'documents', content_rowid = 'number',
  tokenize = 'porter unicode61 remove_diacritics 2',
  detail = none, columnsize = 0
);


-- Forward index --------------------------------------------------------------------------------

-- One blob a paper with all that scores it: its quantized vectors and its terms. Reading one row
-- takes half the time of reading two. See src/store/index/forward-index.ts for the layout.
CREATE TABLE signals (
  document INTEGER PRIMARY KEY REFERENCES documents (number) ON DELETE CASCADE,
  packed   BLOB NOT NULL                -- quantized vectors, then the term vector
);


-- Terms ----------------------------------------------------------------------------------------

-- The document frequency of each term, for BM25.
CREATE TABLE term_counts (
  term      INTEGER PRIMARY KEY,        -- 32-bit hash of a word's stem
  documents INTEGER NOT NULL            -- in how many documents the term occurs
);

-- The documents of each term, in blocks of 65,536 document numbers. The lists are complete up to
-- the watermark in `index_facts`; newer documents are in the full text alone.
CREATE TABLE postings (
  term      INTEGER NOT NULL,
  part      INTEGER NOT NULL,           -- the block: document number / 65,536
  documents BLOB NOT NULL,              -- uint16 each, ascending: the number within the block
  PRIMARY KEY (term, part)
) WITHOUT ROWID;


-- Inverted lists (IVF) -------------------------------------------------------------------------

-- One row an inverted list. A document is in the list with the nearest centroid; a list that grows
-- too large is split in two.
CREATE TABLE cells (
  cell   INTEGER PRIMARY KEY AUTOINCREMENT,
  centre BLOB NOT NULL                  -- the centroid, float32 each
);

-- The documents of a list, in one blob. Apart from the centroids, which a search reads all together.
CREATE TABLE cell_members (
  cell    INTEGER PRIMARY KEY REFERENCES cells (cell) ON DELETE CASCADE,
  members BLOB NOT NULL                 -- a record a document: uint32 number, float32 factor, and
                                        -- the residual from the centroid in 2 bits a component
);

-- The list of each document, for its removal.
CREATE TABLE document_cells (
  document INTEGER PRIMARY KEY REFERENCES documents (number) ON DELETE CASCADE,
  cell     INTEGER NOT NULL
);


-- Records of sources ---------------------------------------------------------------------------

-- The files that records came from.
CREATE TABLE source_files (
  number INTEGER PRIMARY KEY,
  path   TEXT NOT NULL,
  format TEXT NOT NULL,
  UNIQUE (path, format)
);

-- What each source says of a paper. Nearly all documents have one record, and a record keeps only
-- what differs from its document.
CREATE TABLE source_records (
  number      INTEGER PRIMARY KEY,
  document    INTEGER REFERENCES documents (number),  -- NULL: an abstract that waits for its paper
  source      TEXT NOT NULL,    -- the scheme or name of the source; empty: none of its own
  part        TEXT,             -- NULL: the whole record
  hash        BLOB NOT NULL,    -- tells whether the record has changed; empty: not known
  updated_at  INTEGER NOT NULL, -- by the source; 0: not known
  withheld    TEXT,             -- 'retracted' or 'withdrawn'; NULL: neither
  identifiers TEXT,             -- JSON object; NULL: none
  fields      TEXT,             -- JSON object of what differs from the document; NULL: nothing
  file        INTEGER REFERENCES source_files (number)
);
CREATE INDEX source_records_document ON source_records (document);

-- What finds a record: its identifiers, and its title with the first author.
CREATE TABLE record_keys (
  key    INTEGER NOT NULL,      -- 48 bits of a hash; what it finds is compared with the record
  record INTEGER NOT NULL,
  PRIMARY KEY (key, record)
) WITHOUT ROWID;

-- Documents that are retracted or withdrawn. Searches leave them out.
CREATE TABLE withheld_documents (
  document INTEGER PRIMARY KEY REFERENCES documents (number),
  reason   TEXT NOT NULL
);


-- Builds ---------------------------------------------------------------------------------------

-- Reports of `index add`.
CREATE TABLE index_builds (
  number     INTEGER PRIMARY KEY,
  started_at INTEGER NOT NULL,
  ended_at   INTEGER,           -- NULL: it runs, or it was killed
  outcome    TEXT,              -- 'done', 'interrupted' or 'failed'; NULL as above
  report     TEXT NOT NULL      -- JSON
);

-- How far the last build got in each file. Holds only for the revision of the index that it names.
CREATE TABLE build_checkpoints (
  file     INTEGER PRIMARY KEY REFERENCES source_files (number),
  identity BLOB NOT NULL,       -- tells whether the file is still the same
  entries  INTEGER NOT NULL,    -- how many entries from the start of the file are done
  is_done  INTEGER NOT NULL,    -- 1: all of them
  revision INTEGER NOT NULL     -- of the index, with these entries
);


-- Facts ----------------------------------------------------------------------------------------

CREATE TABLE index_facts (
  name  TEXT PRIMARY KEY,
  value ANY NOT NULL
) STRICT, WITHOUT ROWID;
-- 'model' joins these with the first document: JSON with its name, dimensions and SHA-256.
INSERT INTO index_facts (name, value) VALUES
  ('documents', 0),             -- documents in the index
  ('sentences', 0),             -- sentences of their abstracts
  ('terms', 0),                 -- terms of titles and abstracts, repeated ones included
  ('revision', 1),              -- changes with every change of the index; making it was the first
  ('centres', 0),               -- changes with every change of the centroids
  ('arranged', 0),              -- number of documents at the last re-clustering
  ('listed', 0);                -- watermark: the last document that the postings include
