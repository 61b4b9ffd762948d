/** Uses a copy of accounts again that a move has left, because the other database is lost. */
import type { Settings } from '../../config.ts';
import { VerbatimError } from '../../errors.ts';
import type { AccountPlace } from '../../store/accounts/account-place.ts';
import { openAccountFile } from '../../store/moving/account-file.ts';
import { lockPlace, thawAccounts, writePlace } from '../../store/postgres/account-place.ts';
import { openMigrated } from '../../store/postgres/migrations/migrate.ts';
import { databaseOptions } from '../postgres/database-options.ts';

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
