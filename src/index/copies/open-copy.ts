/** Opens a copy of an index, which nobody can change: not the file, and nothing beside it. */

import { assertCurrentIndex } from '../../database/migrations/migrate-file.ts';
import {
  connectToReadOnlyFile,
  type OpenOptions,
  unusableDatabase,
} from '../../database/sqlite/connect.ts';
import type { Connection } from '../../database/sqlite/connection.ts';

/**
 * Opens a read-only connection. Throws `database_unusable` if the file is no copy of an index, and
 * `migration_needed` if another version of the program published it.
 */
export function openCopy(options: OpenOptions): Connection {
  const db = connectToReadOnlyFile(options);
  try {
    assertCurrentIndex(db);
    return db;
  } catch (error) {
    db.close();
    throw unusableDatabase(options.path, error);
  }
}

/** Throws as `openCopy` does if the copy cannot be opened. */
export function checkCopy(path: string): void {
  openCopy({ path, lockWaitMs: 0 }).close();
}
