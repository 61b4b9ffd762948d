/** What a server that starts does about a move that was interrupted. */
import type { PlaceInFile } from '../../store/moving/account-file.ts';
import { openMigrated } from '../../store/postgres/migrations/migrate.ts';
import { type DatabaseSettings, databaseOptions } from '../postgres/database-options.ts';
import { settleMove } from './settle-move.ts';

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
