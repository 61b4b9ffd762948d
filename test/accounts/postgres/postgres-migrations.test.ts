/** Accounts of version 0.2.0 on PostgreSQL get the steps since then, with what is in them. */
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { auditLedger } from '../../../src/accounts/postgres/postgres-audit.ts';
import { migrate } from '../../../src/database/postgres/migrations/migrate-postgres.ts';
import { type Database, openDatabase } from '../../../src/database/postgres/postgres-database.ts';
import { postgresCatalog } from '../../database/migrations/postgres-catalog.ts';
import { storedSql } from '../../database/migrations/stored-databases.ts';
import { NOW } from '../../support/accounts.ts';
import { type Cluster, startCluster } from './postgres-cluster.ts';

let cluster: Cluster;
beforeAll(() => {
  cluster = startCluster();
});
afterAll(() => cluster.stop());

/** An empty database, or one with the tables of version 0.2.0. */
async function openOwn(name: string, sql = ''): Promise<Database> {
  const limits = { connectionsMax: 2, connectTimeoutMs: 60_000, statementTimeoutMs: 60_000 };
  const whole = openDatabase({ url: cluster.url, ...limits });
  await whole.query(`CREATE DATABASE ${name}`);
  await whole.close();
  const database = openDatabase({ url: cluster.url.replace('/postgres?', `/${name}?`), ...limits });
  onTestFinished(() => database.close());
  await database.query(sql);
  return database;
}

// Whoever changes the schema without a step, or the other way round, learns it here.
it('tables of version 0.2.0 become those of a new database, and keep what is in them', async () => {
  const [old, made] = [
    await openOwn('old', storedSql('postgres-accounts-19')),
    await openOwn('made'),
  ];
  await old.query(
    `INSERT INTO customers (email, created_at) VALUES ('ada@example.org', ${NOW});
     INSERT INTO api_keys (customer_id, name, hash, prefix, created_at, form_copy)
     VALUES (1, 'laptop', '\\x01', '01', ${NOW}, 'one');
     INSERT INTO payments (order_id, customer_id, credits, amount, currency, session, state,
       credits_given, created_at)
     SELECT 'order ' || n, 1, 9, 500, 'usd', 'cs_' || n, state, given, ${NOW}
     FROM (VALUES (1, 'expired', 0), (2, 'paid', 9), (3, 'paid', 4)) AS orders (n, state, given);
     INSERT INTO ledger_entries (customer_id, kind, credits, balance, reference, created_at)
     VALUES (1, 'topup', 9, 9, 'cs_3', ${NOW}), (1, 'topup', 9, 18, 'cs_2', ${NOW}),
       (1, 'adjust', -5, 13, 'cs_3:1', ${NOW}), (1, 'topup', 2, 15, NULL, ${NOW});
     UPDATE customers SET balance = 15`,
  );
  await Promise.all([migrate(old), migrate(made)]);
  await migrate(old);
  const catalog = await postgresCatalog(made);
  expect(await postgresCatalog(old)).toEqual(catalog);
  expect(catalog.length).toBeGreaterThan(500);
  expect(await old.query('SELECT name, idempotency_key AS form FROM api_keys')).toEqual([
    { name: 'laptop', form: 'one' },
  ]);
  expect((await auditLedger(old)).differences).toEqual([]);
  const sums = 'SELECT move, entries, credits FROM ledger_days ORDER BY move';
  expect(await old.query(sums)).toEqual([
    { move: 'gift', entries: 1, credits: 2 },
    { move: 'purchase', entries: 2, credits: 18 },
    { move: 'reversal', entries: 1, credits: -5 },
  ]);
  // In the order in which the payments arrived.
  expect(await old.query('SELECT receipt FROM payments ORDER BY id')).toEqual([
    { receipt: null },
    { receipt: 2 },
    { receipt: 1 },
  ]);
  for (const sql of ['SELECT max(number) FROM migrations', 'SELECT * FROM account_place']) {
    expect(await old.query(sql)).toEqual(await made.query(sql));
  }
});

it('older tables are refused', async () => {
  const database = await openOwn('older', storedSql('postgres-accounts-19'));
  await database.query('DELETE FROM migrations WHERE number > 18');
  await expect(migrate(database)).rejects.toMatchObject({
    code: 'database_unusable',
    message:
      'PostgreSQL has tables of version 18; they are older than those of Verbatim 0.2.0; start a ' +
      'server of that version first',
  });
});
