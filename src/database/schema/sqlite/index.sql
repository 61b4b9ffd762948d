-- The current schema of the index. Nothing here refers to the accounts or the lanes.
--
--   documents, documents_text            the papers and their full text
--   signals                              the forward index: the data for scoring a paper
--   term_counts, postings                BM25: document frequencies and postings of terms
--   inverted_lists, list_entries, document_lists, centroid_groups
--                                        inverted lists of a vector search (IVF)
--   title_keys                           finds papers by their titles
--   document_facets, author_keys         what filters compare
--   source_files, source_records, record_keys, withheld_documents
--                                        what each source says about a paper
--   citations                            who cites a work
--   paper_changes                        what happened to papers, for readers who follow the index
--   index_builds, build_checkpoints      reports of builds, and where an interrupted build resumes
--   index_facts                          the model, the totals, and the versions of cached data
--
-- All numbers in blobs are little-endian. All times are milliseconds since 1970, UTC.


-- Papers ---------------------------------------------------------------------------------------

-- One row per paper.
CREATE TABLE documents (
  number         INTEGER PRIMARY KEY,
  id             TEXT NOT NULL UNIQUE,  -- what customers see: a DOI in lower case, or a source's id
  title          TEXT NOT NULL,
  abstract       TEXT NOT NULL,         -- empty: the source has none
  year           INTEGER NOT NULL,      -- 0: not known
  authors        TEXT NOT NULL,         -- JSON array of names
  venue          TEXT NOT NULL,         -- journal or conference; empty: not known
  content_hash   BLOB NOT NULL,         -- changes with the content of the document
  sentence_spans BLOB NOT NULL          -- pairs of uint32: start and end of each sentence of the
                                        -- abstract, in UTF-16 units
);

-- The full-text index of titles and abstracts. It finds the documents that have a word. It does not
-- rank them, so it stores no positions. The stemmer lets "stars" find "star". Only `documents` holds
-- the text itself. FTS5's own integrity check compares the two.
CREATE VIRTUAL TABLE documents_text USING fts5(
  title, abstract,
  content = 'documents', content_rowid = 'number',
  tokenize = 'porter unicode61 remove_diacritics 2',
  detail = none, columnsize = 0
);


-- Forward index --------------------------------------------------------------------------------

-- One blob per paper with all data for its score: quantized vectors and terms. They share a row,
-- because reading one row takes half the time of reading two. For the layout, see
-- src/index/forward-index.ts.
CREATE TABLE signals (
  document INTEGER PRIMARY KEY REFERENCES documents (number) ON DELETE CASCADE,
  packed   BLOB NOT NULL                -- quantized vectors, then the term vector
);


-- Terms ----------------------------------------------------------------------------------------

-- The document frequency of each term, for BM25.
CREATE TABLE term_counts (
  term      INTEGER PRIMARY KEY,        -- 32-bit hash of a word's stem
  documents INTEGER NOT NULL            -- the number of documents with the term
);

-- The documents of each term, in blocks of 65,536 document numbers. The lists are complete up to
-- the watermark in `index_facts`. Only the full-text index has newer documents.
CREATE TABLE postings (
  term      INTEGER NOT NULL,
  part      INTEGER NOT NULL,           -- the block: document number / 65,536
  documents BLOB NOT NULL,              -- uint16 each, ascending: the number within the block
  PRIMARY KEY (term, part)
) WITHOUT ROWID;


-- Inverted lists (IVF) -------------------------------------------------------------------------

-- Groups of inverted lists with similar centroids. A search of a large index compares the question
-- with the lists of the nearest groups. A group that grows too large is split in two.
CREATE TABLE centroid_groups (
  number   INTEGER PRIMARY KEY AUTOINCREMENT,
  centroid BLOB NOT NULL                -- the centroid of the lists' centroids, as float32 values
);

-- One row per inverted list. A document is in the list with the nearest centroid. A list that grows
-- too large is split in two.
CREATE TABLE inverted_lists (
  list           INTEGER PRIMARY KEY AUTOINCREMENT,
  centroid       BLOB NOT NULL,         -- float32 values
  centroid_group INTEGER REFERENCES centroid_groups (number)
);

-- The documents of a list, in one blob. The centroids have their own table, because a search reads
-- all of them at once.
CREATE TABLE list_entries (
  list    INTEGER PRIMARY KEY REFERENCES inverted_lists (list) ON DELETE CASCADE,
  entries BLOB NOT NULL                 -- for each document: uint32 number, float32 factor, and
                                        -- the residual from the centroid, 2 bits per component
);

-- The list of each document. Removing a document needs it.
CREATE TABLE document_lists (
  document INTEGER PRIMARY KEY REFERENCES documents (number) ON DELETE CASCADE,
  list     INTEGER NOT NULL
);


-- Title index ----------------------------------------------------------------------------------

-- The keys of a title: its letters, those of its main part, and the pairs of its longest words.
CREATE TABLE title_keys (
  key      INTEGER NOT NULL,    -- 48 bits of a hash; a match is checked against the title
  document INTEGER NOT NULL,
  PRIMARY KEY (key, document)
) WITHOUT ROWID;


-- Facets ---------------------------------------------------------------------------------------

-- What filters compare and totals count, in blocks of 1,024 document numbers.
CREATE TABLE document_facets (
  block  INTEGER PRIMARY KEY,   -- document number / 1,024
  packed BLOB NOT NULL,         -- for each document: uint16 year, uint8 type, uint8 flags, uint32 key
                                -- of the venue, uint32 bits of the sources, uint16 language,
                                -- uint8 field, uint8 0; see src/index/facets/facets.ts
  citations BLOB                -- the highest count of a source for each document, as uint32, 0: not
                                -- known; NULL: no count is known
);


-- The documents of an author, for filters: the keys of the names and ORCIDs in their records.
CREATE TABLE author_keys (
  key      INTEGER NOT NULL,    -- 48 bits of a hash; see src/identity/author-keys.ts
  document INTEGER NOT NULL,
  PRIMARY KEY (key, document)
) WITHOUT ROWID;


-- Records of sources ---------------------------------------------------------------------------

-- The files that contained the records.
CREATE TABLE source_files (
  number INTEGER PRIMARY KEY,
  path   TEXT NOT NULL,
  format TEXT NOT NULL,
  UNIQUE (path, format)
);

-- What each source says about a paper. Nearly all documents have one record. A record keeps only what
-- differs from its document.
CREATE TABLE source_records (
  number      INTEGER PRIMARY KEY,
  document    INTEGER REFERENCES documents (number),  -- NULL: it belongs to no paper of the index
  source      TEXT NOT NULL,    -- the scheme or name of the source; empty: it has none
  part        TEXT,             -- 'abstract', 'notice', 'references', 'merged', 'removed';
                                -- NULL: the whole record
  hash        BLOB NOT NULL,    -- changes with the record; empty: not known
  updated_at  INTEGER NOT NULL, -- according to the source; 0: not known
  withheld    TEXT,             -- 'retracted' or 'withdrawn'; NULL: neither
  identifiers TEXT,             -- JSON object; NULL: none
  fields      TEXT,             -- JSON object of what differs from the document; NULL: nothing
  file        INTEGER REFERENCES source_files (number),
  notice      TEXT,             -- JSON object of what a journal announced; NULL: nothing
  details     TEXT,             -- JSON object: type, open access, citations, language, field;
                                -- NULL: nothing
  cited       BLOB              -- hashes of the works that it cites; NULL: none. For the layout, see
                                -- src/identity/reference-list.ts
);
CREATE INDEX source_records_document ON source_records (document);
-- The documents of a table or a personal bibliography, for filters.
CREATE INDEX source_records_personal ON source_records (source, document)
  WHERE source GLOB 'personal *';

-- The keys of a record: its identifiers, and its title with the first author.
CREATE TABLE record_keys (
  key    INTEGER NOT NULL,      -- 48 bits of a hash; a match is checked against the record
  record INTEGER NOT NULL,
  PRIMARY KEY (key, record)
) WITHOUT ROWID;

-- Retracted and withdrawn documents. Searches leave them out.
CREATE TABLE withheld_documents (
  document INTEGER PRIMARY KEY REFERENCES documents (number),
  reason   TEXT NOT NULL
);


-- Citations ------------------------------------------------------------------------------------

-- The documents that cite a work, which need not be in the index, in blocks of 2^20 numbers.
CREATE TABLE citations (
  key       INTEGER NOT NULL,   -- the hash of the work's key, as in record_keys
  block     INTEGER NOT NULL,   -- document number / 2^20
  work      TEXT NOT NULL,      -- the key: an identifier, or a printed reference
  documents BLOB NOT NULL,      -- see src/index/citations/citing-list.ts
  PRIMARY KEY (key, block)
) WITHOUT ROWID;


-- Changes --------------------------------------------------------------------------------------

-- The last change of each paper, of those that have changed since version 0.3.0. Readers ask for
-- what comes after the last sequence that they have seen.
CREATE TABLE paper_changes (
  sequence INTEGER PRIMARY KEY,         -- microseconds since 1970, or one more than the last
  id       TEXT NOT NULL UNIQUE,        -- as in `documents`, which may no longer have it
  added    INTEGER NOT NULL,            -- the sequence with which the paper came; 0: before 0.3.0
  reason   TEXT                         -- why it is not among the results: 'retracted',
                                        -- 'withdrawn', or 'removed'; NULL: it is
);


-- Builds ---------------------------------------------------------------------------------------

-- Reports of `index add`.
CREATE TABLE index_builds (
  number     INTEGER PRIMARY KEY,
  started_at INTEGER NOT NULL,
  ended_at   INTEGER,           -- NULL: it is running, or it was killed
  outcome    TEXT,              -- 'done', 'interrupted' or 'failed'; NULL as above
  report     TEXT NOT NULL      -- JSON
);

-- How far the last build got in each file. A row is valid only for its revision of the index.
CREATE TABLE build_checkpoints (
  file     INTEGER PRIMARY KEY REFERENCES source_files (number),
  identity BLOB NOT NULL,       -- changes with the file
  entries  INTEGER NOT NULL,    -- the number of finished entries, from the start of the file
  is_done  INTEGER NOT NULL,    -- 1: all entries are finished
  revision INTEGER NOT NULL     -- the revision of the index with these entries
);


-- Sources ----------------------------------------------------------------------------------------

-- What `verbatim source add` was asked to fetch, and how far that is.
CREATE TABLE sources (
  name        TEXT PRIMARY KEY,
  settings    TEXT NOT NULL,    -- JSON: provider, options, selection
  added_at    INTEGER NOT NULL,
  position    TEXT,             -- JSON: how far it is fetched; NULL: not at all
  state       TEXT NOT NULL,    -- JSON: what came of the last run, and the counts after it
  owner       TEXT,             -- the process that runs it; NULL: none
  owned_until INTEGER NOT NULL DEFAULT 0
);

-- The names of the records in a complete list that is being read. At its end, what is not here is
-- removed.
CREATE TABLE source_seen (
  source TEXT NOT NULL REFERENCES sources (name) ON DELETE CASCADE,
  key    INTEGER NOT NULL,       -- 48 bits of a hash
  PRIMARY KEY (source, key)
) WITHOUT ROWID;


-- Facts ----------------------------------------------------------------------------------------

CREATE TABLE index_facts (
  name  TEXT PRIMARY KEY,
  value ANY NOT NULL
) STRICT, WITHOUT ROWID;
-- The first document adds 'model': JSON with the model's name, dimensions and SHA-256.
-- The first build adds 'checksums': up to this document all spans have their checksum.
INSERT INTO index_facts (name, value) VALUES
  ('id', lower(hex(randomblob(16)))),  -- another one in every index
  ('documents', 0),             -- documents in the index
  ('sentences', 0),             -- sentences of their abstracts
  ('terms', 0),                 -- terms in titles and abstracts, including repeated ones
  ('revision', 1),              -- changes with every change of the index, including its creation
  ('centroids', 0),             -- changes with every change of the centroids
  ('arranged', 0),              -- number of documents at the last re-clustering
  ('listed', 0);                -- watermark: the last document in the postings
