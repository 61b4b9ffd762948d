/** Opens the accounts for a command, and always closes them. */

import type { OperatorStore } from '../../account-store/operator-store.ts';
import { createSqliteOperator } from '../../account-store/sqlite/sqlite-operator.ts';
import type { Settings } from '../../config.ts';
import type { Connection } from '../../store/database/connection.ts';
import { namingFault } from '../../store/database/faults.ts';
import { openExistingStore, openStoreForReading } from '../../store/open.ts';
import { openOrCreateStore, sayOnTerminal, storeOptions } from './options.ts';

type Work<Result> = (accounts: OperatorStore) => Promise<Result>;

/** Runs work with accounts that are open for reading. */
export async function readAccounts<Result>(
  settings: Settings,
  work: Work<Result>,
): Promise<Result> {
  return await using(openStoreForReading(storeOptions(settings)), work);
}

/** Runs work with existing accounts that are open for writing. */
export async function changeAccounts<Result>(
  settings: Settings,
  work: Work<Result>,
): Promise<Result> {
  return await using(openExistingStore(storeOptions(settings)), work);
}

/** Does the same, and creates the database if there is none. `say` reports a new one. */
export async function createAccounts<Result>(
  settings: Settings,
  work: Work<Result>,
  say: (text: string) => void = sayOnTerminal,
): Promise<Result> {
  return await using(openOrCreateStore(settings, say), work);
}

async function using<Result>(db: Connection, work: Work<Result>): Promise<Result> {
  try {
    return await work(createSqliteOperator(db));
  } catch (error) {
    throw namingFault(error, db.name);
  } finally {
    db.close();
  }
}
