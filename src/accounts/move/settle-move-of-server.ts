/** What a server that starts does about a move that was interrupted. */

import {
  type DatabaseSettings,
  databaseOptions,
} from '../../database/postgres/database-options.ts';
import { openMigrated } from '../../database/postgres/migrations/migrate-postgres.ts';
import { settleMove } from './settle-move.ts';
import type { PlaceInFile } from './tables/account-file.ts';

/**
 * Settles a move between PostgreSQL and the file of a server, which holds the lock of the file. Rejects
 * with `database_unusable` if the accounts are not on PostgreSQL.
 */
export async function settleMoveOfServer(
  settings: DatabaseSettings,
  file: PlaceInFile,
): ReturnType<typeof settleMove> {
  const database = await openMigrated(databaseOptions(settings));
  try {
    return await settleMove({ file, database, deletesCopy: false });
  } finally {
    await database.close();
  }
}
