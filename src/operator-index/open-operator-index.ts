/** Opens the index that the settings name, for a command. */
import type { Settings } from '../config.ts';
import { isOnPostgres, postgresBuildOptions } from '../index-source/open/index-place.ts';
import type { OpenOptions } from '../store/database/connect.ts';
import { assertOneServer } from '../store/postgres-index/reading/assert-one-server.ts';
import type { OperatorIndex } from './operator-index.ts';

/** `store` is the SQLite file. On PostgreSQL, rejects if the tables cannot be made. */
export async function openOperatorIndex(
  settings: Settings,
  store: OpenOptions,
): Promise<OperatorIndex> {
  if (isOnPostgres(settings)) {
    // Loaded only here, so that nobody else pays for the library.
    const { openIndexDatabase } = await import('../store/postgres-index/migrations/migrate.ts');
    const { createPostgresOperatorIndex } = await import('./postgres-operator-index.ts');
    const database = await openIndexDatabase(postgresBuildOptions(settings));
    try {
      await assertOneServer(database);
    } catch (error) {
      await database.close();
      throw error;
    }
    return createPostgresOperatorIndex(database);
  }
  const { createSqliteOperatorIndex } = await import('./sqlite-operator-index.ts');
  return createSqliteOperatorIndex(store, settings);
}
