/**
 * Opens the one SQLite file. Every connection of the process comes from here, with the same
 * pragmas and the sqlite-vec functions loaded.
 */
import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { getLoadablePath } from 'sqlite-vec';
import { messageOf, VerbatimError } from '../errors.ts';
import { faultOf } from './faults.ts';
import { migrate } from './migrations.ts';

export type Store = Database.Database;

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
 * A connection that may write; creates the file and brings its tables up to date.
 * Throws `database_unusable` where the file is no database, or one of a newer Verbatim.
 */
export function openStore(options: OpenOptions): Store {
  return connectToWrite(options, false);
}

function connectToWrite(options: OpenOptions, fileMustExist: boolean): Store {
  return connect(options, fileMustExist, (db) => {
    db.pragma(`page_size = ${PAGE_BYTES}`);
    // Readers go on while one process writes.
    db.pragma('journal_mode = WAL');
    // A commit is on disk before it is reported: money must survive a power cut.
    db.pragma('synchronous = FULL');
    migrate(db);
  });
}

/** The same for a file that must be there already. */
export function openExistingStore(options: OpenOptions): Store {
  assertExists(options.path);
  return connectToWrite(options, true);
}

/** A connection that only reads. Throws `database_unusable` where there is no such file. */
export function openStoreForReading(options: OpenOptions): Store {
  assertExists(options.path);
  return connect(options, true, (db) => {
    // Not opened as read-only: the last reader of a WAL file must be able to tidy up after a crash.
    migrate(db);
    db.pragma('query_only = ON');
  });
}

/** Whether an error says that another connection held the lock for longer than we wait. */
export function isBusy(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const isThis = typeof code === 'string' && /^SQLITE_(BUSY|LOCKED)/.test(code);
  return isThis || (cause instanceof Error && isBusy(cause));
}

function assertExists(path: string): void {
  if (!existsSync(path)) throw missingDatabase(path);
}

export function missingDatabase(path: string): VerbatimError {
  return new VerbatimError(
    'database_unusable',
    `there is no database at ${path}; create one with: verbatim index add FILE`,
  );
}

function connect(
  options: OpenOptions,
  fileMustExist: boolean,
  prepare: (db: Store) => void,
): Store {
  let db: Store | undefined;
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
    if (error instanceof VerbatimError) throw error;
    throw new VerbatimError(
      'database_unusable',
      `cannot use ${options.path} as a database: ${faultOf(error) ?? messageOf(error)}`,
      { cause: error },
    );
  }
}
