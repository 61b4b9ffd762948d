/** The accounts on SQLite, with a real file and the ledger's thread. */
import { join } from 'node:path';
import { commandLine } from '../../../src/accounts/sql/operator-trail.ts';
import { openSqliteAccounts } from '../../../src/accounts/sqlite/sqlite-accounts.ts';
import { createSqliteOperator } from '../../../src/accounts/sqlite/sqlite-operator.ts';
import { createDamageRegister } from '../../../src/database/damage/damage-register.ts';
import { openExistingStore, openStore } from '../../../src/database/open.ts';
import { createLog } from '../../../src/log.ts';
import { readSettings } from '../../../src/settings/config.ts';
import { temporaryFolder } from '../../support/accounts.ts';
import { type AccountsUnderTest, REQUESTS_PER_MINUTE } from '../conformance/accounts-under-test.ts';
import { testAccounts } from '../conformance/suite.ts';

const folder = temporaryFolder();

testAccounts('SQLite', async (): Promise<AccountsUnderTest> => {
  const path = join(folder, 'accounts.db');
  const store = { path, lockWaitMs: 60_000 };
  openStore(store).close();
  const settings = readSettings({ database: path, requestsPerMinute: REQUESTS_PER_MINUTE }, {});
  const openNode = async () => {
    const db = openExistingStore(store);
    const log = createLog(() => {});
    const damage = createDamageRegister(log);
    const accounts = openSqliteAccounts({ db, store, log, damage, settings });
    await accounts.joinAsNode();
    const end = async () => {
      await accounts.close(0);
      db.close();
    };
    return { accounts, end };
  };
  // The command line has a connection of its own.
  const operatorDb = openExistingStore(store);
  let node = await openNode();
  const accounts: AccountsUnderTest = {
    store: node.accounts,
    operator: createSqliteOperator(operatorDb, commandLine),
    asOperator: (by) => node.accounts.asOperator(by),
    async restart() {
      await node.end();
      node = await openNode();
      accounts.store = node.accounts;
    },
    async close() {
      await node.end();
      operatorDb.close();
    },
  };
  return accounts;
});
