/** Uses a copy of accounts again that a move has left, because the other database is lost. */

import { databaseOptions } from '../../database/postgres/database-options.ts';
import { openMigrated } from '../../database/postgres/migrations/migrate-postgres.ts';
import { VerbatimError } from '../../errors.ts';
import type { Settings } from '../../settings/config.ts';
import { lockPlace, thawAccounts, writePlace } from '../postgres/postgres-account-place.ts';
import type { AccountPlace } from '../sql/account-place.ts';
import { openAccountFile } from './tables/account-file.ts';

/** Throws `usage` if the accounts are here anyway, and `database_busy` if a server uses the file. */
export async function reclaimFile(
  store: Parameters<typeof openAccountFile>[0]['store'],
): Promise<void> {
  const limits = { batchRows: 1, batchBytes: 1 };
  const file = await openAccountFile({ store, limits, isCreated: false });
  try {
    file.place.write(reclaimed(file.place.read()));
  } finally {
    file.close();
  }
}

/** The same on PostgreSQL, where servers with other accounts cannot run. */
export async function reclaimPostgres(settings: Settings): Promise<void> {
  const database = await openMigrated(databaseOptions(settings));
  try {
    await database.transaction(async (queries) => {
      await writePlace(queries, reclaimed(await lockPlace(queries)));
      await thawAccounts(queries);
    });
  } finally {
    await database.close();
  }
}

/** Without the id of the move, so that a later move cannot take it for a copy that may be replaced. */
function reclaimed({ state, pending, other }: AccountPlace): AccountPlace {
  if (state === 'here' && pending === null) {
    throw new VerbatimError('usage', 'the accounts are here; there is nothing to reclaim');
  }
  return { state: 'here', move: null, pending: null, other };
}
