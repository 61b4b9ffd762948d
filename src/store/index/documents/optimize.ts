/**
 * Makes the file of an index as small and as fast to read as it gets: all documents in the postings,
 * one segment of full text, statistics for SQLite's planner, and no unused pages. What is in the index stays the same.
 */
import Database from 'better-sqlite3';
import { VerbatimError } from '../../../errors.ts';
import type { Connection } from '../../database/connection.ts';
import { PAGE_BYTES } from '../../database/open.ts';
import { extendPostings } from '../lexical/extend-postings.ts';

/** Rows of an index that the statistics are made from. */
const ANALYSED_ROWS = 1000;

/**
 * Gives each step's name before it is done. Throws `database_busy` where another process has the
 * file open: while it is written anew, nobody could write to it.
 */
export function* optimizeIndex(db: Connection): Generator<string> {
  yield 'listing who has which word';
  for (const _ of extendPostings(db));
  yield 'waiting for the file';
  takeForOneself(db);
  try {
    yield 'joining the full text';
    db.exec("INSERT INTO documents_text (documents_text) VALUES ('optimize')");
    yield 'making statistics';
    db.pragma(`analysis_limit = ${ANALYSED_ROWS}`);
    db.exec('ANALYZE');
    yield 'writing the file anew';
    // In memory it would take as much as the file.
    db.pragma('temp_store = FILE');
    db.pragma(`page_size = ${PAGE_BYTES}`);
    db.exec('VACUUM');
  } finally {
    db.pragma('journal_mode = WAL');
  }
}

/** Without a log beside it, the file has one user at a time, and its pages may change in size. */
function takeForOneself(db: Connection): void {
  try {
    db.pragma('journal_mode = DELETE');
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    throw new VerbatimError(
      'database_busy',
      `another process uses ${db.name}; stop it first (a server, a build, or a search)`,
      { cause: error },
    );
  }
}
