/**
 * Connects to the one SQLite file. Every connection of the process comes from here, with the same
 * pragmas and the sqlite-vec functions loaded. The tables are the business of `migrations/`.
 */
import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { getLoadablePath } from 'sqlite-vec';
import { messageOf, VerbatimError } from '../../errors.ts';
import type { Connection } from './connection.ts';
import { faultOf } from './faults.ts';

export interface OpenOptions {
  path: string;
  /** How long a statement waits for another process that is writing. */
  lockWaitMs: number;
  /** Bytes of the file that the connection keeps in memory; SQLite's own default where not given. */
  pageBytesCachedMax?: number;
}

/**
 * Of a new file. What a search reads of a document, some 4 KB, fills up SQLite's own 4 KB badly, and
 * reading twice as much as 8 KB for it takes longer.
 */
export const PAGE_BYTES = 8 * 1024;

/**
 * A connection that may write; creates the file where it is not there, unless it must exist. Its
 * tables are as they were. Throws `database_unusable` where the file is no database.
 */
export function connectForWriting(options: OpenOptions, fileMustExist: boolean): Connection {
  return connect(options, fileMustExist, (db) => {
    db.pragma(`page_size = ${PAGE_BYTES}`);
    // Readers go on while one process writes.
    db.pragma('journal_mode = WAL');
    // A commit is on disk before it is reported: money must survive a power cut.
    db.pragma('synchronous = FULL');
  });
}

/**
 * A connection to a file that must exist. It is not opened as read-only, because the last reader of
 * a WAL file must be able to tidy up after a crash.
 */
export function connectForReading(options: OpenOptions): Connection {
  return connect(options, true, () => {});
}

/** Whether an error says that another connection held the lock for longer than we wait. */
export function isBusy(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const isThis = typeof code === 'string' && /^SQLITE_(BUSY|LOCKED)/.test(code);
  return isThis || (cause instanceof Error && isBusy(cause));
}

/** The error for a path with no file. */
export function missingDatabase(path: string): VerbatimError {
  return new VerbatimError(
    'database_unusable',
    `there is no database at ${path}; create one with: verbatim index add FILE`,
  );
}

/** `error`, or one that says in the operator's words why the file cannot be used. */
export function unusableDatabase(path: string, error: unknown): VerbatimError {
  if (error instanceof VerbatimError) return error;
  return new VerbatimError(
    'database_unusable',
    `cannot use ${path} as a database: ${faultOf(error) ?? messageOf(error)}`,
    { cause: error },
  );
}

function connect(
  options: OpenOptions,
  fileMustExist: boolean,
  prepare: (db: Connection) => void,
): Connection {
  if (fileMustExist && !existsSync(options.path)) throw missingDatabase(options.path);
  let db: Connection | undefined;
  try {
    db = new Database(options.path, { timeout: options.lockWaitMs, fileMustExist });
    db.pragma('foreign_keys = ON');
    // Sorting and the best candidates never need a file.
    db.pragma('temp_store = MEMORY');
    if (options.pageBytesCachedMax !== undefined) {
      db.pragma(`cache_size = -${Math.ceil(options.pageBytesCachedMax / 1024)}`);
    }
    db.loadExtension(getLoadablePath());
    prepare(db);
    return db;
  } catch (error) {
    db?.close();
    throw unusableDatabase(options.path, error);
  }
}
