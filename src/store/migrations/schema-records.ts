/**
 * The tables of what documents are made of, as the step that makes them.
 *
 *   source_records      what each source says of a paper: see identity/kept-record.ts
 *   record_keys         what a record is found by: see identity/record-keys.ts
 *   source_files        the files that records came from
 *   withheld_documents  what is retracted or withdrawn
 *   index_builds        reports of `index add`
 *
 * Nearly all documents are made of one record, so that a record keeps only what differs from its
 * document: mostly nothing.
 */
export const recordTables = `
CREATE TABLE source_files (
  number INTEGER PRIMARY KEY,
  path   TEXT NOT NULL,
  format TEXT NOT NULL,
  UNIQUE (path, format)
);

CREATE TABLE source_records (
  number      INTEGER PRIMARY KEY,
  document    INTEGER REFERENCES documents (number),  -- NULL: an abstract that waits for its paper
  source      TEXT NOT NULL,
  part        TEXT,             -- NULL: the whole record
  hash        BLOB NOT NULL,    -- tells whether the record has changed; empty: not known
  updated_at  INTEGER NOT NULL, -- by the source, in milliseconds since 1970; 0: not known
  withheld    TEXT,
  identifiers TEXT,             -- JSON object; NULL: none
  fields      TEXT,             -- JSON object of those that differ from the document's; NULL: none
  file        INTEGER REFERENCES source_files (number)
);
CREATE INDEX source_records_document ON source_records (document);

CREATE TABLE record_keys (
  key    INTEGER NOT NULL,      -- 48 bits of a hash: what it finds is compared with the record
  record INTEGER NOT NULL,
  PRIMARY KEY (key, record)
) WITHOUT ROWID;

CREATE TABLE withheld_documents (
  document INTEGER PRIMARY KEY REFERENCES documents (number),
  reason   TEXT NOT NULL
);

CREATE TABLE index_builds (
  number     INTEGER PRIMARY KEY,
  started_at INTEGER NOT NULL,
  ended_at   INTEGER,           -- NULL: under way, or ended by force
  outcome    TEXT,
  report     TEXT NOT NULL      -- JSON
);
`;
