/** Opens the accounts of a benchmark, as a server does. */
import type { AccountStore } from '../../../src/accounts/ports/account-store.ts';
import type { OperatorAccess } from '../../../src/accounts/ports/operator-store.ts';
import { openPostgresAccounts } from '../../../src/accounts/postgres/postgres-accounts.ts';
import { openSqliteAccounts } from '../../../src/accounts/sqlite/sqlite-accounts.ts';
import { createDamageRegister } from '../../../src/database/damage/damage-register.ts';
import { openExistingStore } from '../../../src/database/open.ts';
import { createLog } from '../../../src/log.ts';
import { readSettings } from '../../../src/settings/config.ts';
import { openOptions } from '../index-access.ts';

const CLOSE_WAIT_MS = 10_000;

/** `place` is the path of a file, or the address of a PostgreSQL database. */
export async function withAccounts<Result>(
  place: string,
  work: (accounts: AccountStore & OperatorAccess) => Promise<Result>,
): Promise<Result> {
  const log = createLog((line) => process.stderr.write(`${line}\n`));
  const isShared = place.startsWith('postgres://');
  const settings = readSettings(isShared ? { accountsAddress: place } : { database: place }, {});
  const db = isShared ? undefined : openExistingStore(openOptions(place));
  const damage = createDamageRegister(log);
  const store = openOptions(place);
  const accounts =
    db === undefined
      ? await openPostgresAccounts({ log, settings })
      : openSqliteAccounts({ db, store, log, damage, settings });
  try {
    await accounts.joinAsNode();
    return await work(accounts);
  } finally {
    await accounts.close(CLOSE_WAIT_MS);
    db?.close();
  }
}
