/** Opens the database: connects to the file, then migrates its tables to the current version. */
import type { Connection } from './database/connection.ts';
import {
  connectForReading,
  connectForWriting,
  type OpenOptions,
  unusableDatabase,
} from './database/open.ts';
import { migrate } from './migrations/migrate.ts';

/**
 * Opens a connection that can write, and creates the file if it does not exist.
 * Throws `database_unusable` if the file is not a database, or one of a newer Verbatim.
 */
export function openStore(options: OpenOptions): Connection {
  return bringUpToDate(connectForWriting(options, false), options);
}

/** Does the same for a file that must exist. */
export function openExistingStore(options: OpenOptions): Connection {
  return bringUpToDate(connectForWriting(options, true), options);
}

/** Opens a connection that only reads. Throws `database_unusable` if there is no such file. */
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
