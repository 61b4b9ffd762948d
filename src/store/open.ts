/** Opens the database in two steps: connects to the file, then migrates its tables. */

import {
  connectForReading,
  connectForWriting,
  type OpenOptions,
  unusableDatabase,
} from './database/connect.ts';
import type { Connection } from './database/connection.ts';
import { migrate } from './migrations/migrate.ts';

/**
 * Opens a connection that may write. Creates the file if it is missing. Throws `database_unusable`
 * if the file is not a database, or was written by a newer version.
 */
export function openStore(options: OpenOptions): Connection {
  return bringUpToDate(connectForWriting(options, false), options);
}

/** Opens a connection that may write to an existing file. */
export function openExistingStore(options: OpenOptions): Connection {
  return bringUpToDate(connectForWriting(options, true), options);
}

/** Opens a read-only connection. Throws `database_unusable` if the file is missing. */
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
