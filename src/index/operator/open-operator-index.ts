/** Opens the index that the settings name, for a command. */

import type { OpenOptions } from '../../database/sqlite/connect.ts';
import type { Settings } from '../../settings/config.ts';
import { isOnPostgres, postgresBuildOptions } from '../open/index-place.ts';
import { assertOneServer } from '../postgres/assert-one-server.ts';
import type { OperatorIndex } from './operator-index.ts';

/** `store` is the SQLite file. On PostgreSQL, rejects if the tables cannot be made. */
export async function openOperatorIndex(
  settings: Settings,
  store: OpenOptions,
): Promise<OperatorIndex> {
  if (isOnPostgres(settings)) {
    // Loaded only here, so that nobody else pays for the library.
    const { openIndexDatabase } = await import('../postgres/migrations/migrate-postgres-index.ts');
    const { createPostgresOperatorIndex } = await import('../postgres/postgres-operator-index.ts');
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
