/** Opens the database in two calls: connects to the file, then brings its tables up to date. */
import type { Connection } from './database/connection.ts';
import {
  connectForReading,
  connectForWriting,
  type OpenOptions,
  unusableDatabase,
} from './database/open.ts';
import { migrate } from './migrations/migrate.ts';

/**
 * A connection that may write; creates the file where it is not there.
 * Throws `database_unusable` where the file is no database, or one of a newer Verbatim.
 */
export function openStore(options: OpenOptions): Connection {
  return bringUpToDate(connectForWriting(options, false), options);
}

/** The same for a file that must exist. */
export function openExistingStore(options: OpenOptions): Connection {
  return bringUpToDate(connectForWriting(options, true), options);
}

/** A connection that only reads. Throws `database_unusable` where there is no such file. */
export function openStoreForReading(options: OpenOptions): Connection {
  const db = bringUpToDate(connectForReading(options), options);
  db.pragma('query_only = ON');
  return db;
}

function bringUpToDate(db: Connection, { path }: OpenOptions): Connection {
  try {
    migrate(db);
    return db;
  } catch (error) {
    db.close();
    throw unusableDatabase(path, error);
  }
}
