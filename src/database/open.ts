/**
 * Opens the database in two steps: connects to the file, then checks that it has the tables of this
 * program. An older file is not changed: `migrate-store.ts` does that, when it is asked to.
 */

import { assertCurrent, createTables, isEmpty } from './migrations/migrate-file.ts';
import {
  connectForReading,
  connectForWriting,
  type OpenOptions,
  unusableDatabase,
} from './sqlite/connect.ts';
import type { Connection } from './sqlite/connection.ts';

/**
 * Opens a connection that may write. Creates the file if it is missing. Throws `migration_needed` if
 * the file was written by an older version, and `database_unusable` if it is not a database, or was
 * written by a newer version.
 */
export function openStore(options: OpenOptions): Connection {
  return prepared(connectForWriting(options, false), options, (db) => {
    if (isEmpty(db)) createTables(db);
    assertCurrent(db);
  });
}

/** Opens a connection that may write to an existing file. Throws as `openStore` does. */
export function openExistingStore(options: OpenOptions): Connection {
  return prepared(connectForWriting(options, true), options, (db) => {
    // What a crash left while the file was created.
    if (isEmpty(db)) createTables(db);
    assertCurrent(db);
  });
}

/**
 * Opens a read-only connection. Throws as `openStore` does, and `database_unusable` if the file is
 * missing.
 */
export function openStoreForReading(options: OpenOptions): Connection {
  return prepared(connectForReading(options), options, (db) => {
    assertCurrent(db);
    db.pragma('query_only = ON');
  });
}

function prepared(
  db: Connection,
  { path }: OpenOptions,
  prepare: (db: Connection) => void,
): Connection {
  try {
    prepare(db);
    return db;
  } catch (error) {
    db.close();
    throw unusableDatabase(path, error);
  }
}
