/** `verbatim accounts move`, as an operator runs it, and what servers say before and after. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readPlace } from '../../../src/accounts/sql/account-place.ts';
import { openStore } from '../../../src/database/open.ts';
import {
  copySampleIndex,
  createCustomer,
  postSearch,
  removeDatabase,
  startService,
} from '../../support/service.ts';
import { createSmallDisk, obstacleToSmallDisk } from '../../support/small-disk.ts';
import { runCommand, runCommandJson, runVerbatim } from '../../support/verbatim.ts';
import { fillEveryTable } from '../move/every-table.ts';
import { rowsOnPostgres, storeAt, withDatabase, withFile } from '../move/world.ts';
import { type Cluster, startCluster } from './postgres-cluster.ts';

const PASSWORD = 'hidden-from-messages';

let cluster: Cluster;
let databases = 0;

beforeAll(() => {
  cluster = startCluster();
  // For the user of the small disk, who owns nothing outside of it.
  chmodSync(new URLSearchParams(cluster.url.split('?')[1]).get('host') ?? '', 0o755);
});
afterAll(() => cluster.stop());

/** The address of an empty database, with a password that the tests' PostgreSQL does not ask for. */
async function newDatabase(): Promise<string> {
  const name = `command_${++databases}`;
  await withDatabase(cluster.url, ({ query }) => query(`CREATE DATABASE ${name}`));
  return cluster.url
    .replace('/postgres?', `/${name}?`)
    .replace('verbatim@', `verbatim:${PASSWORD}@`);
}

function newFile(searches = 10): ReturnType<typeof storeAt> {
  const folder = mkdtempSync(join(tmpdir(), 'verbatim-move-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const store = storeAt(folder);
  const db = openStore(store);
  fillEveryTable(db, { searches });
  db.close();
  return store;
}

const moving = (from: string, to: string, ...more: string[]): string[] => [
  ...['accounts', 'move', '--from', from, '--to', to, ...more],
];

describe('verbatim accounts move', () => {
  it('checks both databases in a dry run, and changes nothing', async () => {
    const url = await newDatabase();
    const { path } = newFile();
    const { stdout } = await runCommand(moving(path, url, '--dry-run'));
    expect(stdout).toMatch(
      /^\d+ rows of \d+ tables would move: 1 customer, 25 ledger entries, 1 credit held\n$/,
    );
    await withDatabase(url, async ({ query }) => {
      expect(await query('SELECT 1 FROM customers')).toEqual([]);
    });
    await runCommand(['customer', 'list', '--db', path]);
  });

  it('moves there and back, and says what to do next', async () => {
    const url = await newDatabase();
    const { path } = newFile();
    const { stdout } = await runCommand(moving(path, url));
    expect(stdout).toContain('moved, each compared: 1 customer, 25 ledger entries');
    expect(stdout).toContain('now set VERBATIM_ACCOUNTS');
    const { stderr } = await runCommand(['customer', 'list', '--db', path], { code: 1 });
    expect(stderr).toContain(`the accounts of ${path} have moved to postgres://`);
    expect(stderr).not.toContain(PASSWORD);
    await runCommand(moving(path, url), { code: 1 });
    const back = await runCommandJson<{ moved: boolean; entries: number }>(
      moving(url, path, '--json'),
    );
    expect(back).toMatchObject({ moved: true, entries: 25, customers: 1, held: 1 });
    await runCommand(['customer', 'list', '--db', path]);
    const env = { VERBATIM_ACCOUNTS: url };
    const away = await runCommand(['customer', 'list', '--db', path], { env, code: 1 });
    expect(away.stderr).toContain(`the accounts of VERBATIM_ACCOUNTS have moved to ${path}`);
  });

  it('creates a file that is missing, and takes 20,000 searches there in little memory', async () => {
    const url = await newDatabase();
    const { path } = newFile(20_000);
    const env = { NODE_OPTIONS: '--max-old-space-size=24' };
    await runVerbatim(moving(path, url), { env });
    const target = `${path}.new`;
    await runVerbatim(moving(url, target), { env });
    const count = 'SELECT count(*) AS entries FROM ledger_entries';
    const counted = withFile({ path: target, lockWaitMs: 0 }, (db) => db.prepare(count).get());
    expect(counted).toEqual({ entries: 40_005 });
  });

  it.each([
    ['one.db', 'two.db'],
    ['postgres://a/b', 'postgresql://c/d'],
  ])('refuses to move from %s to %s', async (from, to) => {
    const { stderr } = await runCommand(moving(from, to), { code: 2 });
    expect(stderr).toContain('name an SQLite file and an address');
  });

  it('refuses a file of a later version, and one that is no database of accounts', async () => {
    const url = await newDatabase();
    const { path } = newFile();
    withFile({ path, lockWaitMs: 0 }, (db) => db.pragma('user_version = 1000'));
    const { stderr } = await runVerbatim(moving(path, url), { code: 1 });
    expect(stderr).toContain('was written by Verbatim');
    const missing = await runCommand(moving(`${path}.missing`, url), { code: 1 });
    expect(missing.stderr).toContain('there is no database at');
  });

  it('refuses while a server runs, and a moved file starts no server', async () => {
    const url = await newDatabase();
    const database = await copySampleIndex();
    onTestFinished(() => removeDatabase(database));
    const { secret } = createCustomer(database);
    const own = await startService(database);
    const busy = await runCommand(moving(database, url), { code: 1 });
    expect(busy.stderr).toContain('another verbatim process is serving or migrating');
    await own.end();
    await runCommand(moving(database, url));
    const { stderr } = await runVerbatim(['serve', '--db', database, '--port', '0'], { code: 1 });
    expect(stderr).toContain('have moved to postgres://');
    const shared = await startService(database, { VERBATIM_ACCOUNTS: url });
    expect((await postSearch(shared.url, secret)).status).toBe(200);
    const used = await runCommand(moving(url, database), { code: 1 });
    expect(used.stderr).toContain('another verbatim process is serving or migrating');
    const elsewhere = await runCommand(moving(url, `${database}.new`), { code: 1 });
    expect(elsewhere.stderr).toContain('a server uses the accounts on PostgreSQL');
    await shared.end();
    await runCommand(moving(url, database));
    const again = await startService(database);
    expect((await postSearch(again.url, secret)).status).toBe(200);
    await again.end();
  });

  const obstacle = obstacleToSmallDisk();
  it.skipIf(obstacle !== undefined)(
    'leaves the accounts where they are on a full disk',
    async () => {
      const url = await newDatabase();
      await runCommand(moving(newFile(5_000).path, url));
      const rows = await rowsOnPostgres(url);
      const disk = await createSmallDisk(6);
      onTestFinished(() => disk.end());
      const path = join(disk.folder, 'v.db');
      disk.fill(2_000_000);
      const { through } = disk;
      const { stderr } = await runVerbatim(moving(url, path), { through, code: 1 });
      expect(stderr).toContain('the disk is full');
      await runCommand(['customer', 'list'], { env: { VERBATIM_ACCOUNTS: url } });
      expect(await rowsOnPostgres(url)).toEqual(rows);
    },
  );
});

it('a server goes on with a move that was killed before its end', async () => {
  const url = await newDatabase();
  const database = await copySampleIndex();
  onTestFinished(() => removeDatabase(database));
  const { secret } = createCustomer(database);
  await runCommand(moving(database, url));
  // As after a kill between the commit of the file and the last one on PostgreSQL.
  const { move } = withFile({ path: database, lockWaitMs: 0 }, readPlace);
  await withDatabase(url, ({ query }) =>
    query("UPDATE account_place SET state = 'away', move = NULL, pending = $1", [move]),
  );
  const env = { VERBATIM_ACCOUNTS: url };
  const { stderr } = await runCommand(['customer', 'list'], { env, code: 1 });
  expect(stderr).toContain('is not over; run it again');
  const server = await startService(database, env);
  expect((await postSearch(server.url, secret)).status).toBe(200);
  await server.end();
  await runCommand(['customer', 'list'], { env });
});
