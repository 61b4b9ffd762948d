/** A database of the schema files equals one of all steps. This test goes with the steps. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { steps } from '../../../src/database/migrations/migrate-file.ts';
import { migrate, migrations } from '../../../src/database/postgres/migrations/migrate-postgres.ts';
import { openDatabase } from '../../../src/database/postgres/postgres-database.ts';
import { tables } from '../../../src/index/postgres/migrations/01-index-tables.ts';
import { openIndexDatabase } from '../../../src/index/postgres/migrations/migrate-postgres-index.ts';
import { type Cluster, startCluster } from '../../accounts/postgres/postgres-cluster.ts';
import { openMemoryStore } from '../../support/accounts.ts';
import { postgresCatalog } from './postgres-catalog.ts';
import { withoutLayout } from './without-layout.ts';

const folder = resolve(import.meta.dirname, '../../../src/database/schema');
const read = (...names: string[]): string =>
  names.map((name) => readFileSync(join(folder, `${name}.sql`), 'utf8')).join('\n');

const fixture = (name: string): string =>
  readFileSync(resolve(import.meta.dirname, '../../fixtures/databases', name), 'utf8');

function sqliteCatalog(db: InstanceType<typeof Database>): string[] {
  const lines: string[] = [];
  const all = db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema').all() as any[];
  for (const { type, name, tbl_name, sql } of all) {
    lines.push(`${type} ${name} on ${tbl_name}: ${withoutLayout(sql ?? '')}`);
    if (type === 'table') {
      for (const p of ['table_xinfo', 'index_list', 'foreign_key_list']) {
        for (const row of db.pragma(`${p}(${name})`) as object[])
          lines.push(`${p} ${name} ${JSON.stringify(row)}`);
      }
      const [list] = (db.pragma('table_list') as any[]).filter((row) => row.name === name);
      lines.push(`table_list ${name} ${JSON.stringify({ ...list })}`);
    }
    if (type === 'index') {
      for (const row of db.pragma(`index_xinfo(${name})`) as object[])
        lines.push(`index_xinfo ${name} ${JSON.stringify(row)}`);
    }
  }
  for (const table of ['index_facts', 'lane_answer_totals', 'account_place', 'sqlite_sequence']) {
    for (const row of db.prepare(`SELECT * FROM ${table}`).all() as any[])
      if (row.seq !== 0) lines.push(`row ${table} ${JSON.stringify(row)}`);
  }
  return lines.sort();
}

it('on SQLite', () => {
  const old = openMemoryStore();
  const now = new Database(':memory:');
  now.exec(
    read(
      ...['database', 'index', 'lanes', 'accounts', 'ledger', 'payments'].map((n) => `sqlite/${n}`),
    ),
  );
  const [a, b] = [sqliteCatalog(old as any), sqliteCatalog(now)];
  console.log(
    'SQLite lines',
    a.length,
    'steps',
    steps.length,
    'version',
    old.pragma('user_version', { simple: true }),
  );
  expect(b).toEqual(a);
});

describe('on PostgreSQL', () => {
  const clusters: Cluster[] = [];
  beforeAll(() => {
    clusters.push(startCluster(), startCluster(), startCluster());
  });
  afterAll(() => clusters.forEach((cluster) => cluster.stop()));
  const open = (at: number) =>
    openDatabase({
      url: clusters[at]?.url ?? '',
      connectionsMax: 2,
      connectTimeoutMs: 60_000,
      statementTimeoutMs: 60_000,
    });

  it('accounts and index', async () => {
    const [old, now] = [open(0), open(1)];
    await migrate(old);
    const record = 'CREATE TABLE migrations (number integer PRIMARY KEY, at timestamptz NOT NULL);';
    await now.query(
      record +
        read(
          ...['accounts', 'ledger', 'payments', 'paid-calls', 'lanes'].map((n) => `postgres/${n}`),
        ),
    );
    const [a, b] = [await postgresCatalog(old), await postgresCatalog(now)];
    console.log('accounts lines', a.length, 'steps', migrations.length);
    expect(b).toEqual(a);
    expect(await now.query('SELECT * FROM account_place')).toEqual(
      await old.query('SELECT * FROM account_place'),
    );
    const options = {
      connectionsMax: 2,
      connectTimeoutMs: 60_000,
      statementTimeoutMs: 60_000,
      shards: 4,
      vectorIndex: 'bit',
    } as const;
    const oldIndex = await openIndexDatabase({ url: clusters[0]?.url ?? '', ...options });
    const made = tables(options);
    const partitions = made.slice(made.indexOf('INSERT INTO index_facts'));
    await now.query(
      'CREATE TABLE index_migrations (number integer PRIMARY KEY, at timestamptz NOT NULL);' +
        read('postgres/index') +
        partitions,
    );
    const [c, d] = [await postgresCatalog(oldIndex), await postgresCatalog(now)];
    console.log('accounts and index lines', c.length);
    expect(d).toEqual(c);
    const facts = "SELECT to_jsonb(index_facts) - 'id' AS facts FROM index_facts";
    expect(await now.query(facts)).toEqual(await oldIndex.query(facts));
    const stored = open(2);
    await stored.query(fixture('postgres-accounts-19.sql'));
    expect(await postgresCatalog(stored)).toEqual(a);
    expect(await stored.query('SELECT count(*) AS n FROM migrations')).toEqual([{ n: 19 }]);
    await stored.query(
      'CREATE TABLE index_migrations (number integer PRIMARY KEY, at timestamptz NOT NULL);' +
        fixture('postgres-index-2.sql') +
        partitions,
    );
    expect(await postgresCatalog(stored)).toEqual(c);
    await Promise.all([old, now, oldIndex, stored].map((database) => database.close()));
  });
});
