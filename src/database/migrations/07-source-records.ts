/** Step 7: what each source says of a paper, what finds a record, and what builds did. */
import type { Connection } from '../sqlite/connection.ts';
import { doiOf, hashKey, keysOf } from './frozen/document-keys.ts';
import type { Step } from './step.ts';

export const sourceRecords: Step = {
  name: 'records of sources',
  sql: `
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
`,
  convert,
};

interface Row {
  number: number;
  id: string;
  title: string;
  year: number;
  authors: string;
}

/** What else the record said is not known, so it has no hash. The next one with its id has. */
const NO_HASH = Buffer.alloc(0);

/**
 * Gives each document one record with the same fields, so that its keys find it. Takes some ten
 * seconds for a hundred thousand documents.
 */
function convert(db: Connection): void {
  const read = db.prepare(
    'SELECT number, id, title, year, authors FROM documents WHERE number = ?',
  );
  const addRecord = db.prepare(
    `INSERT INTO source_records (document, source, hash, updated_at, identifiers)
     VALUES (?, '', ?, 0, ?)`,
  );
  const addKey = db.prepare('INSERT OR IGNORE INTO record_keys (key, record) VALUES (?, ?)');
  const numbers = db.prepare('SELECT number FROM documents ORDER BY number').pluck().all();
  for (const number of numbers as number[]) {
    const { id, title, year, authors } = read.get(number) as Row;
    const doi = doiOf(id);
    const identifiers = doi === undefined ? null : JSON.stringify({ doi });
    const record = addRecord.run(number, NO_HASH, identifiers).lastInsertRowid;
    const [firstAuthor = ''] = JSON.parse(authors) as string[];
    for (const key of keysOf({ id, title, year, firstAuthor })) addKey.run(hashKey(key), record);
  }
}
