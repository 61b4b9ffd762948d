/** Opens the accounts of a server, wherever the settings say that they are. */

import { createLedgerWriter } from '../accounts/ledger-thread/ledger-writer.ts';
import type { AccountStore } from '../accounts/ports/account-store.ts';
import type { OperatorAccess } from '../accounts/ports/operator-store.ts';
import {
  type AccountPlace,
  assertAccountsHere,
  readPlace,
  writePlace,
} from '../accounts/sql/account-place.ts';
import {
  createSampleStore,
  createUpdateStore,
  openSqliteAccounts,
  type SqliteAccounts,
} from '../accounts/sqlite/sqlite-accounts.ts';
import type { DamageRegister } from '../database/damage/damage-register.ts';
import type { Connection } from '../database/sqlite/connection.ts';
import { namingFault } from '../database/sqlite/faults.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings/config.ts';
import { storeOptions } from './cli/options.ts';

/** Accounts, and what the thread that writes to the SQLite file of the index does besides. */
export type ServedAccounts = AccountStore &
  OperatorAccess &
  Pick<SqliteAccounts, 'emptyWal' | 'threadCounts' | 'samples' | 'updates'>;

export interface OpenAccountsOptions {
  settings: Settings;
  log: Log;
  damage: DamageRegister;
  /** The file of the index. The accounts may be there. */
  db: Connection;
}

/** Opens them, and releases the holds that a crash left open. */
export async function openAccounts(options: OpenAccountsOptions): Promise<ServedAccounts> {
  const { settings, log } = options;
  const accounts = await (settings.accountsAddress === ''
    ? openOwnAccounts(options)
    : openSharedAccounts(options));
  try {
    const { released } = await accounts.joinAsNode();
    if (released > 0) log.info('released_holds_of_a_crash', { holds: released });
    return accounts;
  } catch (error) {
    await accounts.close(0);
    throw namingFault(error, settings.database);
  }
}

function openOwnAccounts({ settings, log, damage, db }: OpenAccountsOptions): ServedAccounts {
  assertAccountsHere(db);
  return openSqliteAccounts({ db, store: storeOptions(settings), log, damage, settings });
}

/** The library is loaded only here, so that other servers do not pay for it. */
async function openSharedAccounts({
  settings,
  log,
  damage,
  db,
}: OpenAccountsOptions): Promise<ServedAccounts> {
  const { openPostgresAccounts } = await import('../accounts/postgres/postgres-accounts.ts');
  const { settleMoveOfServer } = await import('../accounts/move/settle-move-of-server.ts');
  const file = { read: () => readPlace(db), write: (place: AccountPlace) => writePlace(db, place) };
  const settled = await settleMoveOfServer(settings, file);
  if (settled !== 'none')
    log.info('interrupted_move_of_accounts', { has_moved: settled === 'done' });
  const accounts = await openPostgresAccounts({ settings, log });
  // The index is in an SQLite file all the same, whose write-ahead log must stay short.
  const writer = createLedgerWriter({ store: storeOptions(settings), log, damage, ...settings });
  return {
    ...accounts,
    emptyWal: writer.emptyWal,
    threadCounts: () => writer.counts().pool,
    samples: createSampleStore(db, writer.write),
    updates: createUpdateStore(db, writer.write),
    async close(waitMs) {
      await Promise.all([accounts.close(waitMs), writer.close(0)]);
    },
  };
}
