/**
 * Connects to the SQLite file. Every connection of the process comes from here, with the same
 * pragmas and the sqlite-vec functions loaded. `migrations/` handles the tables.
 */
import { closeSync, existsSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import { getLoadablePath } from 'sqlite-vec';
import { messageOf, VerbatimError } from '../../errors.ts';
import type { Connection } from './connection.ts';
import { faultOf } from './faults.ts';
import { enableFreeingPages } from './free-pages.ts';

export interface OpenOptions {
  path: string;
  /** How long a statement waits for another process's write. */
  lockWaitMs: number;
  /** The page cache of the connection, in bytes; SQLite's default if absent. */
  pageBytesCachedMax?: number;
}

/**
 * The page size of a new file. A search reads about 4 KB per document, which fills pages of 4 KB
 * badly, and reading twice as much as 8 KB takes longer.
 */
export const PAGE_BYTES = 8 * 1024;

/**
 * Opens a connection that may write. Creates the file if it is missing, unless it must exist. Does
 * not touch its tables. Throws `database_unusable` if the file is not a database.
 */
export function connectForWriting(options: OpenOptions, fileMustExist: boolean): Connection {
  return connect(options, fileMustExist, (db) => {
    db.pragma(`page_size = ${PAGE_BYTES}`);
    // In a file that has pages, this would be a write.
    if (db.pragma('page_count', { simple: true }) === 0) enableFreeingPages(db);
    // Readers continue while one process writes.
    db.pragma('journal_mode = WAL');
    // A commit is on disk before it is reported, so money survives a power failure.
    db.pragma('synchronous = FULL');
  });
}

/**
 * Opens a connection for reads to an existing file. It is not read-only at the OS level, because
 * the last reader of a WAL file must be able to clean up after a crash.
 */
export function connectForReading(options: OpenOptions): Connection {
  return connect(options, true, () => {});
}

/**
 * Opens a connection to a file that nobody changes, and that has no write-ahead log. It needs no
 * right to write to the file or its folder.
 */
export function connectToReadOnlyFile(options: OpenOptions): Connection {
  return connect(options, true, () => {}, true);
}

/** Returns the versions of SQLite and sqlite-vec, as they state them themselves. */
export function engineVersions(): { sqlite: string; sqliteVec: string } {
  const db = new Database(':memory:');
  try {
    db.loadExtension(getLoadablePath());
    const versions = db.prepare('SELECT sqlite_version() AS sqlite, vec_version() AS vec').get();
    const { sqlite, vec } = versions as { sqlite: string; vec: string };
    return { sqlite, sqliteVec: vec.replace(/^v/, '') };
  } finally {
    db.close();
  }
}

/** Returns whether an error means that another connection held the lock too long. */
export function isBusy(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const isThis = typeof code === 'string' && /^SQLITE_(BUSY|LOCKED)/.test(code);
  return isThis || (cause instanceof Error && isBusy(cause));
}

/** Returns the error for a missing file. */
export function missingDatabase(path: string): VerbatimError {
  return new VerbatimError(
    'database_unusable',
    `there is no database at ${path}; create one with: verbatim index add FILE`,
  );
}

/** Returns an error that explains to the operator why the file cannot be used. */
export function unusableDatabase(path: string, error: unknown): VerbatimError {
  if (error instanceof VerbatimError) return error;
  return new VerbatimError(
    'database_unusable',
    `cannot use ${path} as a database: ${faultOf(error) ?? messageOf(error)}`,
    { cause: error },
  );
}

/**
 * Creates a file, if it is missing, that only its owner may read: a database holds customers and hashes of
 * keys. SQLite gives the files beside it the same mode.
 */
export function createForOwner(path: string): void {
  // SQLite's name for a database without a file.
  if (path === ':memory:') return;
  try {
    closeSync(openSync(path, 'a', 0o600));
  } catch {
    // SQLite meets the same, and says why.
  }
}

function connect(
  options: OpenOptions,
  fileMustExist: boolean,
  prepare: (db: Connection) => void,
  readonly = false,
): Connection {
  if (fileMustExist && !existsSync(options.path)) throw missingDatabase(options.path);
  let db: Connection | undefined;
  try {
    if (!fileMustExist) createForOwner(options.path);
    db = new Database(options.path, { timeout: options.lockWaitMs, fileMustExist, readonly });
    db.pragma('foreign_keys = ON');
    // Keep temporary data, such as sorts, in memory.
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
