/**
 * Makes the file of an index small and fast to read. The content stays the same.
 *
 * `optimizeInSteps` works while others use the file: each step is a short transaction. `rewriteFile`
 * needs the file for itself, and also brings related pages together.
 */
import Database from 'better-sqlite3';
import { PAGE_BYTES } from '../../database/sqlite/connect.ts';
import type { Connection } from '../../database/sqlite/connection.ts';
import { canFreePages, enableFreeingPages, freePages } from '../../database/sqlite/free-pages.ts';
import { VerbatimError } from '../../errors.ts';
import { extendPostings } from '../lexical/extend-postings.ts';

/** The rows of an SQLite index that `ANALYZE` samples. */
const ANALYZED_ROWS = 1000;

/** A step that is about to begin. */
export interface OptimizeStep {
  what: string;
  /** The finished share of this kind of steps; undefined if it is not known. */
  share?: number;
}

/**
 * Extends the postings, merges the full text, computes statistics for SQLite's planner, and gives
 * unused pages back where the file can do that. The caller may stop after any step.
 */
export function* optimizeInSteps(db: Connection, pagesPerStep: number): Generator<OptimizeStep> {
  // Shortens each step. Nothing is lost with the power that the same command would not do again.
  db.pragma('synchronous = NORMAL');
  for (const share of extendPostings(db)) yield { what: 'extending the postings', share };
  for (const _ of mergeFullText(db, pagesPerStep)) yield { what: 'merging the full text' };
  for (const analyze of analyses(db)) {
    yield { what: 'computing statistics' };
    analyze();
  }
  if (!canFreePages(db)) return;
  for (const share of freePages(db, pagesPerStep)) yield { what: 'giving pages back', share };
}

/**
 * The same as `optimizeInSteps` and then rewrites the whole file, after which it can give pages back
 * while it is used. Throws `database_busy` if another process has the file open, because nobody
 * could write to it meanwhile.
 */
export function* rewriteFile(db: Connection): Generator<OptimizeStep> {
  for (const share of extendPostings(db)) yield { what: 'extending the postings', share };
  yield { what: 'waiting for the file' };
  leaveWalMode(db);
  try {
    yield { what: 'merging the full text' };
    db.exec("INSERT INTO documents_text (documents_text) VALUES ('optimize')");
    yield { what: 'computing statistics' };
    for (const analyze of analyses(db)) analyze();
    yield { what: 'rewriting the file' };
    // A temporary database in memory would take as much memory as the file.
    db.pragma('temp_store = FILE');
    db.pragma(`page_size = ${PAGE_BYTES}`);
    enableFreeingPages(db);
    db.exec('VACUUM');
  } finally {
    db.pragma('journal_mode = WAL');
  }
}

/** Returns one piece of work for each table. */
function analyses(db: Connection): (() => void)[] {
  db.pragma(`analysis_limit = ${ANALYZED_ROWS}`);
  const tables = db
    .prepare("SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main'")
    .pluck()
    .all() as string[];
  const own = tables.filter((name) => !name.startsWith('sqlite_'));
  return own.map((name) => () => db.exec(`ANALYZE "${name}"`));
}

/**
 * Merges the segments of the full text into one, as many pages in a step. The first, negative number
 * begins such a merge, and it is complete when a step changes nothing
 * (https://www.sqlite.org/fts5.html, "The 'merge' Command").
 */
function* mergeFullText(db: Connection, pagesPerStep: number): Generator<void> {
  const merge = db.prepare("INSERT INTO documents_text (documents_text, rank) VALUES ('merge', ?)");
  const readChanges = db.prepare('SELECT total_changes()').pluck();
  for (let pages = -pagesPerStep; ; pages = pagesPerStep) {
    yield;
    const before = Number(readChanges.get());
    merge.run(pages);
    // The command itself counts as a change.
    if (Number(readChanges.get()) - before < 2) return;
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
