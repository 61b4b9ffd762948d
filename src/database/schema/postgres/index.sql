-- An index on PostgreSQL. Tables have the meaning that ../sqlite/index.sql describes, with these differences:
--
-- - Tables that grow with the documents are partitioned by `shard`, the number of the document modulo
--   the number of shards. All rows of a document are in partitions of the same number, which may so be
--   on a server of their own. The other tables are small; such servers would have copies of them.
--   src/index/postgres/migrations/index-tables.ts makes the partitions.
-- - `vectors` has an HNSW index in place of inverted lists. The index is made with the first build,
--   which knows the dimensions.
-- - `recent_terms` has the terms of documents behind the watermark of the postings, where SQLite has
--   its full-text index.
-- - Terms are the same 32 bits, stored as signed numbers.

CREATE EXTENSION IF NOT EXISTS vector;

-- One row: what is true of the whole index.
CREATE TABLE index_facts (
  is_only       boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  id            uuid NOT NULL DEFAULT gen_random_uuid(),  -- another one in every index
  shards        smallint NOT NULL CHECK (shards > 0),     -- never changes
  vector_index  text NOT NULL CHECK (vector_index IN ('halfvec', 'bit')),
  model         text,                       -- JSON with name, dimensions, SHA-256; NULL: no build yet
  revision      bigint NOT NULL DEFAULT 1,  -- changes with every change of the index
  documents     bigint NOT NULL DEFAULT 0,
  sentences     bigint NOT NULL DEFAULT 0,
  terms         bigint NOT NULL DEFAULT 0,  -- of titles and abstracts, including repeated ones
  last_document integer NOT NULL DEFAULT 0, -- the last number that was given; none is given twice
  last_record   bigint NOT NULL DEFAULT 0,
  indexed_up_to integer NOT NULL DEFAULT 0  -- watermark: the last document in the postings
) WITH (fillfactor = 10);

CREATE TABLE documents (
  shard          smallint NOT NULL,
  number         integer NOT NULL CHECK (number > 0),
  id             text COLLATE "C" NOT NULL,
  title          text NOT NULL,
  abstract       text NOT NULL,
  year           integer NOT NULL,
  authors        text NOT NULL,             -- JSON array
  venue          text NOT NULL,
  content_hash   bytea NOT NULL,
  sentence_spans bytea NOT NULL,
  PRIMARY KEY (number, shard)
) PARTITION BY LIST (shard);
-- Not unique, because a unique index would need the shard. The writer and `index verify` see to it.
CREATE INDEX documents_by_id ON documents (id);

CREATE TABLE forward_index (
  shard    smallint NOT NULL,
  document integer NOT NULL,
  entry    bytea NOT NULL,                  -- see index/forward-index.ts
  PRIMARY KEY (document, shard)
) PARTITION BY LIST (shard);
ALTER TABLE forward_index ALTER entry SET STORAGE EXTERNAL;

CREATE TABLE vectors (
  shard    smallint NOT NULL,
  document integer NOT NULL,
  own      halfvec NOT NULL,                -- the document's own vector, as the forward index has it
  PRIMARY KEY (document, shard)
) PARTITION BY LIST (shard);
ALTER TABLE vectors ALTER own SET STORAGE PLAIN;

-- BM25: the document frequency of each term in the whole index.
CREATE TABLE term_counts (
  term      integer PRIMARY KEY,
  documents integer NOT NULL
) WITH (fillfactor = 70);

-- The documents of a shard with a term, in blocks of 65,536 numbers, up to the watermark.
CREATE TABLE postings (
  shard     smallint NOT NULL,
  term      integer NOT NULL,
  block     integer NOT NULL,
  documents bytea NOT NULL,                 -- see index/lexical/postings.ts
  PRIMARY KEY (term, block, shard)
) PARTITION BY LIST (shard);
ALTER TABLE postings ALTER documents SET STORAGE EXTERNAL;

-- The distinct terms of each document behind the watermark.
CREATE TABLE recent_terms (
  shard    smallint NOT NULL,
  document integer NOT NULL,
  terms    integer[] NOT NULL,
  PRIMARY KEY (document, shard)
) PARTITION BY LIST (shard);
CREATE INDEX recent_terms_by_term ON recent_terms USING gin (terms) WITH (fastupdate = off);

CREATE TABLE title_keys (
  shard    smallint NOT NULL,
  key      bigint NOT NULL,
  document integer NOT NULL,
  PRIMARY KEY (key, document, shard)
) PARTITION BY LIST (shard);

-- What filters compare; see index/facets/facets.ts.
CREATE TABLE document_facets (
  shard    smallint NOT NULL,
  document integer NOT NULL,
  year     integer NOT NULL,
  type     smallint NOT NULL,
  flags    smallint NOT NULL,
  venue    integer NOT NULL,                -- the 32 bits of its key, as a signed number
  sources  integer NOT NULL,                -- the 32 bits of its sources, as a signed number
  language smallint NOT NULL DEFAULT 0,     -- 0: not known
  field    smallint NOT NULL DEFAULT 0,     -- 0: not known
  citations integer NOT NULL DEFAULT 0,     -- the highest count of a source; 0: not known
  PRIMARY KEY (document, shard)
) PARTITION BY LIST (shard);

CREATE TABLE author_keys (
  shard    smallint NOT NULL,
  key      bigint NOT NULL,
  document integer NOT NULL,
  PRIMARY KEY (key, document, shard)
) PARTITION BY LIST (shard);

-- The documents of a partition that cite a work: as on SQLite.
CREATE TABLE citations (
  shard     smallint NOT NULL,
  key       bigint NOT NULL,
  work      text NOT NULL,
  documents bytea NOT NULL,
  PRIMARY KEY (key, shard)
) PARTITION BY LIST (shard);

CREATE TABLE withheld_documents (
  shard    smallint NOT NULL,
  document integer NOT NULL,
  reason   text NOT NULL,
  PRIMARY KEY (document, shard)
) PARTITION BY LIST (shard);

-- The files from which records come. Paths are too long for an index.
CREATE TABLE source_files (
  number    integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  path      text NOT NULL,
  format    text NOT NULL,
  name_hash bytea NOT NULL UNIQUE           -- of path and format
);

CREATE TABLE source_records (
  shard       smallint NOT NULL,
  number      bigint NOT NULL,
  document    integer NOT NULL,             -- -1: it waits for its paper, and its shard is that of its number
  source      text COLLATE "C" NOT NULL,
  part        text,                         -- as on SQLite; NULL: the whole record
  hash        bytea NOT NULL,
  updated_at  bigint NOT NULL,
  withheld    text,
  identifiers text,                         -- JSON
  fields      text,                         -- JSON of what differs from the document; NULL: nothing
  file        integer,
  notice      text,                         -- JSON
  details     text,                         -- JSON
  cited       bytea,                        -- as on SQLite
  PRIMARY KEY (number, shard)
) PARTITION BY LIST (shard);
CREATE INDEX source_records_by_document ON source_records (document);
CREATE INDEX source_records_personal ON source_records (source, document)
  WHERE source LIKE 'personal %' AND document > 0;

CREATE TABLE record_keys (
  shard  smallint NOT NULL,
  key    bigint NOT NULL,                   -- 48 bits of a hash; a match is checked against the record
  record bigint NOT NULL,
  PRIMARY KEY (key, record, shard)
) PARTITION BY LIST (shard);

CREATE TABLE paper_changes (
  sequence bigint PRIMARY KEY,
  id       text COLLATE "C" NOT NULL UNIQUE,
  added    bigint NOT NULL,
  reason   text
);

CREATE TABLE index_builds (
  number     integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  started_at bigint NOT NULL,
  ended_at   bigint,
  outcome    text,
  report     text NOT NULL,
  batches    bigint NOT NULL DEFAULT 0      -- committed; tells a build whether its last commit arrived
);

CREATE TABLE build_checkpoints (
  file     integer PRIMARY KEY REFERENCES source_files,
  identity bytea NOT NULL,
  entries  bigint NOT NULL,
  is_done  boolean NOT NULL,
  revision bigint NOT NULL
);

-- What `verbatim source add` was asked to fetch, and how far that is.
CREATE TABLE sources (
  name        text PRIMARY KEY,
  settings    text NOT NULL,    -- JSON: provider, options, selection
  added_at    bigint NOT NULL,
  position    text,             -- JSON: how far it is fetched; NULL: not at all
  state       text NOT NULL,    -- JSON: what came of the last run, and the counts after it
  owner       text,             -- the process that runs it; NULL: none
  owned_until bigint NOT NULL DEFAULT 0
);

-- The names of the records in a complete list that is being read. At its end, what is not here is
-- removed.
CREATE TABLE source_seen (
  source text NOT NULL REFERENCES sources (name) ON DELETE CASCADE,
  key    bigint NOT NULL,       -- 48 bits of a hash
  PRIMARY KEY (source, key)
);
