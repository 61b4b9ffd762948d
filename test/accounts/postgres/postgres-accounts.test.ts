/** The accounts on a real PostgreSQL. */

import { openPostgresAccounts } from '../../../src/accounts/postgres/postgres-accounts.ts';
import { createPostgresOperator } from '../../../src/accounts/postgres/postgres-operator.ts';
import { commandLine } from '../../../src/accounts/sql/operator-trail.ts';
import { databaseOptions } from '../../../src/database/postgres/database-options.ts';
import { openDatabase } from '../../../src/database/postgres/postgres-database.ts';
import { createLog } from '../../../src/log.ts';
import { readSettings } from '../../../src/settings/config.ts';
import { type AccountsUnderTest, REQUESTS_PER_MINUTE } from '../conformance/accounts-under-test.ts';
import { testAccounts } from '../conformance/suite.ts';
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
