/** The accounts on a real PostgreSQL. */
import { databaseOptions } from '../../src/account-store/postgres/database-options.ts';
import { openPostgresAccounts } from '../../src/account-store/postgres/postgres-accounts.ts';
import { createPostgresOperator } from '../../src/account-store/postgres/postgres-operator.ts';
import { readSettings } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { commandLine } from '../../src/store/accounts/operator-trail.ts';
import { openDatabase } from '../../src/store/postgres/database.ts';
import { type AccountsUnderTest, REQUESTS_PER_MINUTE } from './conformance/accounts-under-test.ts';
import { testAccounts } from './conformance/suite.ts';
import { startCluster } from './postgres-cluster.ts';

const LEASE_MS = 1_000;

testAccounts('PostgreSQL', async (): Promise<AccountsUnderTest> => {
  const cluster = startCluster();
  const settings = readSettings(
    {
      accountsAddress: cluster.url,
      accountConnectTimeoutMs: 60_000,
      accountStatementTimeoutMs: 60_000,
      requestsPerMinute: REQUESTS_PER_MINUTE,
      nodeLeaseMs: LEASE_MS,
    },
    {},
  );
  const openNode = async () => {
    const store = await openPostgresAccounts({ log: createLog(() => {}), settings });
    await store.joinAsNode();
    return store;
  };
  let node = await openNode();
  const operatorDatabase = openDatabase(databaseOptions(settings));
  const accounts: AccountsUnderTest = {
    store: node,
    operator: createPostgresOperator(operatorDatabase, commandLine),
    asOperator: (by) => node.asOperator(by),
    async restart() {
      await accounts.store.close(0);
      node = await openNode();
      accounts.store = node;
    },
    async close() {
      await accounts.store.close(0);
      await operatorDatabase.close();
      cluster.stop();
    },
  };
  return accounts;
});
