/** Opens the accounts for a command, and always closes them. */

import type { OperatorStore } from '../../accounts/ports/operator-store.ts';
import { assertAccountsHere } from '../../accounts/sql/account-place.ts';
import { commandLine } from '../../accounts/sql/operator-trail.ts';
import { createSqliteOperator } from '../../accounts/sqlite/sqlite-operator.ts';
import { openExistingStore, openStoreForReading } from '../../database/open.ts';
import type { Connection } from '../../database/sqlite/connection.ts';
import { namingFault } from '../../database/sqlite/faults.ts';
import type { Settings } from '../../settings/config.ts';
import { openOrCreateStore, sayOnTerminal, storeOptions } from './options.ts';

type Work<Result> = (accounts: OperatorStore) => Promise<Result>;

/** Runs work with accounts that are open for reading. */
export async function readAccounts<Result>(
  settings: Settings,
  work: Work<Result>,
): Promise<Result> {
  return await using(settings, () => openStoreForReading(storeOptions(settings)), work);
}

/** Runs work with existing accounts that are open for writing. */
export async function changeAccounts<Result>(
  settings: Settings,
  work: Work<Result>,
): Promise<Result> {
  return await using(settings, () => openExistingStore(storeOptions(settings)), work);
}

/** Does the same, and creates the database if there is none. */
export async function createAccounts<Result>(
  settings: Settings,
  work: Work<Result>,
): Promise<Result> {
  return await using(settings, () => openOrCreateStore(settings, sayOnTerminal), work);
}

async function using<Result>(
  settings: Settings,
  open: () => Connection,
  work: Work<Result>,
): Promise<Result> {
  if (settings.accountsAddress !== '') {
    // The library is loaded only where it is needed.
    const { withPostgresOperator } = await import('../../accounts/postgres/postgres-operator.ts');
    return await withPostgresOperator(settings, commandLine, work);
  }
  const db = open();
  try {
    assertAccountsHere(db);
    return await work(createSqliteOperator(db, commandLine));
  } catch (error) {
    throw namingFault(error, db.name);
  } finally {
    db.close();
  }
}
