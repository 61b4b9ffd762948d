/** Accounts move between an SQLite file and PostgreSQL, whole, whatever happens. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { reclaimFile, reclaimPostgres } from '../../../src/accounts/move/reclaim-accounts.ts';
import { movedTables } from '../../../src/accounts/move/tables/moved-tables.ts';
import { auditLedger } from '../../../src/accounts/postgres/postgres-audit.ts';
import { applySteps, renewLease } from '../../../src/accounts/postgres/postgres-paid-calls.ts';
import { topUp } from '../../../src/accounts/sql/credit-entries.ts';
import { openStore } from '../../../src/database/open.ts';
import { changeOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { schemaOf } from '../../database/migrations/schema-of.ts';
import { addAccount, NOW, rowsOf } from '../../support/accounts.ts';
import { fillEveryTable, LAST_MEMBER } from '../move/every-table.ts';
import {
  type Direction,
  move,
  rowsInFile,
  rowsOnPostgres,
  settingsFor,
  storeAt,
  usable,
  withDatabase,
  withFile,
} from '../move/world.ts';
import { type Cluster, startCluster } from './postgres-cluster.ts';

const bundle = resolve(import.meta.dirname, '../../../dist/killed-move.mjs');
const NODE = '11111111-2222-3333-4444-555555555555';
const HOUR_MS = 3_600_000;

let cluster: Cluster;
let databases = 0;
let url: string;
let folder: string;
let store: ReturnType<typeof storeAt>;

beforeAll(() => {
  cluster = startCluster();
  buildSync({
    entryPoints: [join(import.meta.dirname, '../move/killed-move.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
});
afterAll(() => {
  cluster.stop();
  rmSync(bundle, { force: true });
});

beforeEach(async () => {
  const name = `move_${++databases}`;
  await withDatabase(cluster.url, ({ query }) => query(`CREATE DATABASE ${name}`));
  url = cluster.url.replace('/postgres?', `/${name}?`);
  folder = mkdtempSync(join(tmpdir(), 'verbatim-move-'));
  store = storeAt(folder);
  const db = openStore(store);
  fillEveryTable(db);
  db.close();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const moveThere = (doing = {}) => move({ url, store, direction: 'to_postgres' }, doing);
const moveBack = (doing = {}) => move({ url, store, direction: 'to_file' }, doing);
const placeOnPostgres = () =>
  withDatabase(url, ({ query }) => query('SELECT state, pending FROM account_place'));

describe('a move', () => {
  it('takes every row of every table along, and adds up', async () => {
    const before = rowsInFile(store);
    const moved = await moveThere();
    expect(await rowsOnPostgres(url)).toEqual(before);
    expect(moved?.audit).toMatchObject({ customers: 1, held: 1, differences: [] });
    const counts = movedTables.map((table) => [table, before[table]?.length]);
    expect(moved?.tables).toEqual(Object.fromEntries(counts));
    expect(await usable({ url, store }, before)).toEqual({ file: false, postgres: true });
    expect(rowsInFile(store)).toEqual(before);
  });

  it('keeps counting where the ids were', async () => {
    await moveThere();
    const [added] = await withDatabase(url, ({ query }) =>
      query(
        `INSERT INTO members (customer_id, email, role, created_at)
         VALUES (1, 'new@example.org', 'billing', 1) RETURNING id`,
      ),
    );
    expect(added).toEqual({ id: LAST_MEMBER + 1 });
    await moveBack();
    const sql = "SELECT seq FROM sqlite_sequence WHERE name = 'members'";
    expect(withFile(store, (db) => rowsOf(db, sql))).toEqual([{ seq: LAST_MEMBER + 1 }]);
  });

  it('back takes what was added since, and leaves the tables as they were made', async () => {
    const schema = withFile(store, schemaOf);
    await moveThere();
    await withDatabase(url, async (database) => {
      const hold = { kind: 'hold' as const, requestId: 'later', customerId: 1, keyId: 1 };
      await applySteps(database, [{ ...hold, credits: 1, now: NOW }], NODE);
    });
    const later = await rowsOnPostgres(url);
    await moveBack();
    expect(rowsInFile(store)).toEqual(later);
    expect(withFile(store, schemaOf)).toEqual(schema);
    expect(await usable({ url, store }, later)).toEqual({ file: true, postgres: false });
    await moveThere();
    expect(await rowsOnPostgres(url)).toEqual(later);
  });

  it('leaves a ledger that still only grows', async () => {
    await moveThere();
    const change = (sql: string) => withDatabase(url, ({ query }) => query(sql));
    await expect(change('DELETE FROM ledger_entries')).rejects.toThrow('never changed or deleted');
    await expect(change('TRUNCATE ledger_entries CASCADE')).rejects.toThrow('never changed');
    await moveBack();
    const remove = () => withFile(store, (db) => db.exec('DELETE FROM ledger_entries'));
    expect(remove).toThrow('ledger entries are never deleted');
  });

  it('refuses changes of credit by programs that opened the source before', async () => {
    const add = { customerId: 1, credits: 5, now: NOW };
    const db = openStore(store);
    await moveThere();
    expect(() => changeOnSqlite(db, topUp(add))).toThrow(
      'the accounts have moved to another database',
    );
    db.close();
    await moveBack();
    await withDatabase(url, async (database) => {
      const hold = { kind: 'hold' as const, requestId: 'late', customerId: 1, keyId: 1 };
      const late = applySteps(database, [{ ...hold, credits: 1, now: NOW }], NODE);
      await expect(late).rejects.toThrow('the accounts have moved to another database');
    });
    withFile(store, (own) => changeOnSqlite(own, topUp(add)));
  });

  it('has no more than a batch in memory', async () => {
    const rows: number[] = [];
    await moveThere({ onRows: (done: number) => rows.push(done) });
    const batches = rows.map((done, index) => done - (rows[index - 1] ?? 0));
    expect(Math.max(...batches)).toBe(settingsFor(url).accountMoveBatchRows);
    expect(rows.at(-1)).toBeGreaterThan(100);
  });
});

describe('a move is refused', () => {
  it.each<Direction>(['to_postgres', 'to_file'])(
    '%s while a server has a lease',
    async (direction) => {
      if (direction === 'to_file') await moveThere();
      await withDatabase(url, (database) => renewLease(database, NODE, HOUR_MS));
      const before = await placeOnPostgres();
      const moving = move({ url, store, direction });
      await expect(moving).rejects.toMatchObject({ code: 'database_busy' });
      expect(await placeOnPostgres()).toEqual(before);
    },
  );

  it('if the target has accounts of its own', async () => {
    await withDatabase(url, ({ query }) =>
      query("INSERT INTO second_factors VALUES ('bob@example.org', '\\x00', 1, 1)"),
    );
    const code = 'already_exists';
    await expect(moveThere()).rejects.toMatchObject({ code });
    expect(await usable({ url, store }, rowsInFile(store))).toMatchObject({ file: true });
  });

  it('to a file that has accounts which moved elsewhere', async () => {
    await moveThere();
    const other = storeAt(mkdtempSync(join(folder, 'other-')));
    openStore(other).close();
    await move({ url, store: other, direction: 'to_file' });
    await move({ url, store: other, direction: 'to_postgres' });
    await expect(moveBack()).rejects.toMatchObject({ code: 'already_exists' });
  });

  it('from accounts that do not add up', async () => {
    withFile(store, (db) => db.exec('UPDATE customers SET balance = balance + 1'));
    await expect(moveThere()).rejects.toMatchObject({ code: 'audit_failed' });
    expect(await placeOnPostgres()).toEqual([{ state: 'here', pending: null }]);
  });

  it('from accounts that have moved away', async () => {
    await moveThere();
    await expect(moveThere()).rejects.toMatchObject({ code: 'database_unusable' });
  });

  it('to a PostgreSQL of a newer version, or one that is read-only', async () => {
    await withDatabase(url, ({ query }) => query('INSERT INTO migrations VALUES (1000, now())'));
    await expect(moveThere()).rejects.toThrow('a newer version of verbatim made these tables');
    await withDatabase(cluster.url, ({ query }) =>
      query(`ALTER DATABASE move_${databases} SET default_transaction_read_only = on`),
    );
    await expect(moveThere()).rejects.toMatchObject({ code: 'database_unusable' });
  });

  it('if a text cannot be stored on PostgreSQL', async () => {
    withFile(store, (db) => db.prepare("UPDATE api_keys SET name = 'a' || char(0)").run());
    await expect(moveThere()).rejects.toMatchObject({ code: 'database_unusable' });
    expect(await usable({ url, store }, rowsInFile(store))).toEqual({
      file: true,
      postgres: false,
    });
  });
});

describe('what fails in the middle leaves the accounts where they were', () => {
  it.each<Direction>(['to_postgres', 'to_file'])(
    '%s, when it is interrupted',
    async (direction) => {
      if (direction === 'to_file') await moveThere();
      const rows = rowsInFile(store);
      const controller = new AbortController();
      const abort = { onRows: () => controller.abort(), signal: controller.signal };
      const moving = move({ url, store, direction }, abort);
      await expect(moving).rejects.toMatchObject({ code: 'interrupted' });
      const isInFile = direction === 'to_postgres';
      const expected = { file: isInFile, postgres: !isInFile };
      expect(await usable({ url, store }, rows)).toEqual(expected);
    },
  );

  it.each<Direction>(['to_postgres', 'to_file'])(
    '%s, when PostgreSQL crashes',
    async (direction) => {
      if (direction === 'to_file') await moveThere();
      const rows = rowsInFile(store);
      let crashes = 0;
      const onRows = () => {
        if (crashes++ === 0) cluster.crash();
      };
      await expect(move({ url, store, direction }, { onRows })).rejects.toThrow();
      const isInFile = direction === 'to_postgres';
      const expected = { file: isInFile, postgres: !isInFile };
      expect(await usable({ url, store }, rows)).toEqual(expected);
      await move({ url, store, direction });
      expect(await rowsOnPostgres(url)).toEqual(rows);
    },
  );
});

const STEPS = [
  'begun',
  'prepared',
  'copying',
  'comparing',
  'copied',
  'stored',
  'switched',
  'finished',
];
/** A move has the step only in one direction. */
const oneWay: Record<string, Direction> = { prepared: 'to_file', stored: 'to_postgres' };
const kills = STEPS.flatMap((step) =>
  (['to_postgres', 'to_file'] as const)
    .filter((direction) => (oneWay[step] ?? direction) === direction)
    .map((direction) => [direction, step] as const),
);

describe('a move that is killed', () => {
  it.each(kills)('%s at %s leaves one database in use, and can go on', async (direction, step) => {
    const rows = rowsInFile(store);
    if (direction === 'to_file') await moveThere();
    const { signal } = spawnSync(process.execPath, [bundle, folder, url, direction, step]);
    expect(signal).toBe('SIGKILL');
    const { file, postgres } = await usable({ url, store }, rows);
    expect({ step, inUse: Number(file) + Number(postgres) }).toEqual({ step, inUse: 1 });
    const isThere = direction === 'to_postgres' ? postgres : file;
    expect(isThere).toBe(['switched', 'finished'].includes(step));
    if (!isThere) await move({ url, store, direction });
    const expected = { file: direction === 'to_file', postgres: direction === 'to_postgres' };
    expect(await usable({ url, store }, rows)).toEqual(expected);
    const audit = await withDatabase(url, auditLedger);
    expect(audit.differences).toEqual([]);
  });

  it.each<Direction>(['to_postgres', 'to_file'])(
    '%s is finished by the same command',
    async (direction) => {
      const rows = rowsInFile(store);
      if (direction === 'to_file') await moveThere();
      for (const step of ['stored', 'prepared', 'switched']) {
        spawnSync(process.execPath, [bundle, folder, url, direction, step]);
      }
      await move({ url, store, direction }).catch(() => undefined);
      const expected = { file: direction === 'to_file', postgres: direction === 'to_postgres' };
      expect(await usable({ url, store }, rows)).toEqual(expected);
    },
  );
});

describe('a copy is reclaimed', () => {
  it('in a file, as it was, and later moves do not take it for an earlier state', async () => {
    const rows = rowsInFile(store);
    await moveThere();
    await reclaimFile(store);
    expect(await usable({ url, store }, rows)).toMatchObject({ file: true });
    await expect(moveBack()).rejects.toMatchObject({ code: 'already_exists' });
    await expect(reclaimFile(store)).rejects.toMatchObject({ code: 'usage' });
  });

  it('on PostgreSQL, which then takes new entries', async () => {
    await moveThere();
    await moveBack();
    await reclaimPostgres(settingsFor(url));
    await withDatabase(url, async (database) => {
      const hold = { kind: 'hold' as const, requestId: 'again', customerId: 1, keyId: 1 };
      const held = await applySteps(database, [{ ...hold, credits: 1, now: NOW }], NODE);
      expect(held[0]?.failure).toBe(null);
    });
  });
});

it('another customer who was in the file stays out of a file that receives accounts', async () => {
  await moveThere();
  const other = storeAt(mkdtempSync(join(folder, 'other-')));
  const db = openStore(other);
  addAccount(db, 'other@example.org');
  db.close();
  const moving = move({ url, store: other, direction: 'to_file' });
  await expect(moving).rejects.toMatchObject({ code: 'already_exists' });
  expect(rowsInFile(other)['customers']).toHaveLength(1);
});
