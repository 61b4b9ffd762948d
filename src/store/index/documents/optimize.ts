/**
 * Makes the file of an index small and fast to read: all documents in the postings, one segment of
 * full text, statistics for SQLite's planner, and no unused pages. The content stays the same.
 */
import Database from 'better-sqlite3';
import { VerbatimError } from '../../../errors.ts';
import { PAGE_BYTES } from '../../database/connect.ts';
import type { Connection } from '../../database/connection.ts';
import { extendPostings } from '../lexical/extend-postings.ts';

/** The rows of an SQLite index that `ANALYZE` samples. */
const ANALYZED_ROWS = 1000;

/**
 * Yields the name of each step before the step. Throws `database_busy` if another process has the
 * file open, because nobody could write to it while it is rewritten.
 */
export function* optimizeIndex(db: Connection): Generator<string> {
  yield 'extending the postings';
  for (const _ of extendPostings(db));
  yield 'waiting for the file';
  leaveWalMode(db);
  try {
    yield 'merging the full text';
    db.exec("INSERT INTO documents_text (documents_text) VALUES ('optimize')");
    yield 'computing statistics';
    db.pragma(`analysis_limit = ${ANALYZED_ROWS}`);
    db.exec('ANALYZE');
    yield 'rewriting the file';
    // A temporary database in memory would take as much memory as the file.
    db.pragma('temp_store = FILE');
    db.pragma(`page_size = ${PAGE_BYTES}`);
    db.exec('VACUUM');
  } finally {
    db.pragma('journal_mode = WAL');
  }
}

/** Without a write-ahead log, the file has one user at a time and can change its page size. */
function leaveWalMode(db: Connection): void {
  try {
    db.pragma('journal_mode = DELETE');
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    throw new VerbatimError(
      'database_busy',
      `another process uses ${db.name}; stop it first (a server, a build or a search)`,
      { cause: error },
    );
  }
}
