/** Tables of earlier versions on PostgreSQL get their later steps with what is in them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findLogin } from '../../../src/accounts/sql/passwords.ts';
import { hashToken } from '../../../src/accounts/sql/secret-tokens.ts';
import { findSession } from '../../../src/accounts/sql/sessions.ts';
import { findLink } from '../../../src/accounts/sql/sign-in-links.ts';
import { tables } from '../../../src/database/postgres/migrations/01-account-tables.ts';
import { triggers } from '../../../src/database/postgres/migrations/02-triggers.ts';
import { steps } from '../../../src/database/postgres/migrations/03-steps.ts';
import { secondFactors } from '../../../src/database/postgres/migrations/04-second-factors.ts';
import { migrate } from '../../../src/database/postgres/migrations/migrate-postgres.ts';
import { openDatabase } from '../../../src/database/postgres/postgres-database.ts';
import { runOnPostgres } from '../../../src/database/postgres/run-on-postgres.ts';
import { NOW } from '../../support/accounts.ts';
import { type Cluster, startCluster } from './postgres-cluster.ts';

let cluster: Cluster;
beforeAll(() => {
  cluster = startCluster();
});
afterAll(() => cluster.stop());

it('customers who could sign in still can, as the owners of their accounts', async () => {
  const database = openDatabase({
    url: cluster.url,
    connectionsMax: 2,
    connectTimeoutMs: 60_000,
    statementTimeoutMs: 60_000,
  });
  try {
    const { query } = database;
    await query('CREATE TABLE migrations (number integer PRIMARY KEY, at timestamptz NOT NULL)');
    for (const [index, sql] of [tables, triggers, steps, secondFactors].entries()) {
      await query(sql);
      await query('INSERT INTO migrations VALUES ($1, now())', [index + 1]);
    }
    await query(
      `INSERT INTO customers (email, created_at, password_hash, browser_key)
       VALUES ('ada@example.org', $1, 'hash of ada', $2), ('bob@example.org', $1, NULL, NULL)`,
      [NOW, Buffer.from([7])],
    );
    await query('INSERT INTO sign_in_links VALUES (1, $1, $2)', [hashToken('link'), NOW + 9]);
    await query('INSERT INTO sessions VALUES ($1, 1, $2, $2)', [hashToken('session'), NOW]);
    await migrate(database);
    await migrate(database);
    const login = await runOnPostgres(database, findLogin('ada@example.org'));
    expect(login).toMatchObject({ customerId: 1, passwordHash: 'hash of ada' });
    const other = await runOnPostgres(database, findLogin('bob@example.org'));
    expect(other).toMatchObject({ passwordHash: null });
    const memberId = login?.memberId;
    const link = await runOnPostgres(database, findLink({ token: 'link', now: NOW }));
    expect(link).toEqual({ memberId, email: 'ada@example.org' });
    const limits = { lifetimeMs: 9, idleMs: 9, perMemberMax: 9 };
    const shown = { token: 'session', limits, now: NOW + 1 };
    const session = await runOnPostgres(database, findSession(shown));
    expect(session).toMatchObject({ customer: { id: 1 }, member: { id: memberId, role: 'owner' } });
  } finally {
    await database.close();
  }
});
