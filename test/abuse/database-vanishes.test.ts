/** Somebody deletes, moves or replaces the files of a server, or opens them by another name. */
import { existsSync, linkSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Caller, readUsage, search, send, untilHealth, untilUsage } from '../http/contract.ts';
import { temporaryFolder } from '../support/accounts.ts';
import {
  copySampleIndex,
  createCustomer,
  removeDatabase,
  type Service,
  startService,
} from '../support/service.ts';
import { runCommand, runVerbatim } from '../support/verbatim.ts';
import { audit, expectLogged, expectRefused, QUICK } from './faults.ts';

const CREDITS = 1000;

let database: string;
let service: Service;
let caller: Caller;

/** A server for each test of the `describe` that calls this. */
function useServers(): void {
  beforeEach(async () => {
    database = await copySampleIndex();
    const { secret } = createCustomer(database, { credits: CREDITS });
    service = await startService(database, QUICK);
    caller = { url: service.url, secret };
    // One search that is in the log beside the database only.
    expect((await search(caller)).status).toBe(200);
    await untilUsage(caller, { requests: 1 });
  });

  afterEach(async () => {
    await service.end('SIGKILL');
    await removeDatabase(database);
  });
}

async function restart(): Promise<void> {
  await service.end();
  service = await startService(database, QUICK);
  caller = { ...caller, url: service.url };
}

/** What is moved away, each with what the server says. A move returns what puts it back. */
const moves: [reason: string, move: () => () => void][] = [
  ['the database was deleted or moved', () => moveAway(database)],
  ['the write-ahead log was deleted or moved', () => moveAway(`${database}-wal`)],
  ['the index of the write-ahead log was deleted or moved', () => moveAway(`${database}-shm`)],
  // The folder.
  ['the database was deleted or moved', () => moveAway(dirname(database))],
];

function moveAway(path: string): () => void {
  renameSync(path, `${path}.moved`);
  return () => renameSync(`${path}.moved`, path);
}

describe('a server', () => {
  useServers();

  it('whose files are moved away, one after the other, reports it and recovers when they are back', async () => {
    for (const [number, [reason, move]] of moves.entries()) {
      const putBack = move();
      const health = await untilHealth(service.url, { status: 'degraded' });
      expect(health.status).toBe(503);
      const expected = `${reason} while it was in use`;
      expect(JSON.parse(health.text)).toEqual({ status: 'degraded', reason: expected });
      await expectRefused(caller);
      putBack();
      await untilHealth(service.url, { status: 'ok' });
      const balance = CREDITS - 2 - number;
      expect((await search(caller)).headers['x-credit-balance']).toBe(String(balance));
      await untilUsage(caller, { requests: 2 + number });
    }
    expectLogged(
      service,
      moves.map(([reason]) => new RegExp(reason)),
    );
    expect(await audit(database)).toMatchObject({ held: 0, differences: [] });
  });

  it('charges nothing to a deleted database', async () => {
    rmSync(database);
    // At once, before the next look at the files.
    const got = await search(caller);
    expect(got.status).toBe(503);
    await untilHealth(service.url, { status: 'degraded' });
    await expectRefused(caller);
    expect(await readUsage(caller)).toMatchObject({ requests: 1, balance: CREDITS - 1 });
    expect((await send(service.url, { path: '/health?live' })).status).toBe(200);
    expect(existsSync(database)).toBe(false);
    expect(await service.end()).toBe(0);
    expect(existsSync(database)).toBe(false);
  });

  it('writes to neither file after its database is replaced, until it restarts', async () => {
    const other = await copySampleIndex();
    const { secret } = createCustomer(other, { credits: 5 });
    renameSync(other, database);
    await untilHealth(service.url, {
      status: 'degraded',
      reason: 'the database was replaced while it was in use',
    });
    await expectRefused(caller);
    await service.end();
    // The log of the one before is not the new one's.
    for (const suffix of ['-wal', '-shm']) rmSync(`${database}${suffix}`, { force: true });
    service = await startService(database, QUICK);
    caller = { url: service.url, secret };
    expect((await search(caller)).headers['x-credit-balance']).toBe('4');
    await untilUsage(caller, { requests: 1, balance: 4 });
    expect(await audit(database)).toMatchObject({ held: 0, differences: [] });
    await removeDatabase(other);
  });

  it.each(['-wal', '-shm'])(
    'loses nothing on restart after its %s file is deleted',
    async (suffix) => {
      rmSync(`${database}${suffix}`);
      await untilHealth(service.url, { status: 'degraded' });
      await expectRefused(caller);
      await restart();
      expect(await readUsage(caller)).toMatchObject({ requests: 1, balance: CREDITS - 1 });
      expect((await search(caller)).status).toBe(200);
      await untilUsage(caller, { requests: 2, balance: CREDITS - 2 });
      expect(await audit(database)).toMatchObject({ held: 0, differences: [] });
    },
  );
});

const names: [what: string, link: (path: string, name: string) => void][] = [
  ['a hard link', linkSync],
  ['a symbolic link', symlinkSync],
];

describe('a second server', () => {
  useServers();

  const folder = temporaryFolder();

  it.each(names)('is rejected by %s and starts after the first one ends', async (_what, link) => {
    const name = join(folder, `${basename(dirname(database))}.db`);
    link(database, name);
    const args = ['serve', '--port', '0', '--db', name];
    const refused = await runVerbatim(args, { code: 1 });
    expect(refused.stderr).toBe(
      `verbatim: another verbatim process is serving or migrating ${name}; stop it first\n`,
    );
    expect((await search(caller)).status).toBe(200);
    await untilUsage(caller, { requests: 2 });
    await service.end('SIGKILL');
    service = await startService(database, QUICK);
    await service.end();
    service = await startService(name, QUICK);
    expect(await readUsage({ ...caller, url: service.url })).toMatchObject({
      balance: CREDITS - 2,
    });
  });

  it('is rejected even if the lock file was deleted', async () => {
    rmSync(`${database}-lock`);
    const refused = await runVerbatim(['serve', '--port', '0', '--db', database], { code: 1 });
    expect(refused.stderr).toContain('another verbatim process is serving');
  });

  it('finds only files that git ignores beside the database', () => {
    const beside = readdirSync(dirname(database)).sort();
    expect(beside).toEqual(['', '-lock', '-shm', '-wal'].map((end) => `verbatim.db${end}`));
  });
});

describe('a path without a database', () => {
  const folder = temporaryFolder();
  const commands = [
    ['serve'],
    ['search', 'sleep'],
    ['credit', 'audit'],
    ['credit', 'add', 'ada@example.org', '5'],
    ['customer', 'list'],
    ['key', 'list'],
    ['index', 'stats'],
    ['index', 'optimize'],
    ['payment', 'list'],
  ];
  it.each(commands)('does not get one from %s %s', async (...args) => {
    const path = join(folder, 'mistyped.db');
    const { stderr } = await runCommand([...args, '--db', path], { code: 1 });
    expect(stderr).toBe(
      `verbatim: there is no database at ${path}; create one with: verbatim index add FILE\n`,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it('gets one from customer add, which says so once', async () => {
    const path = join(folder, 'new.db');
    const add = ['customer', 'add', '--db', path];
    const first = await runCommand([...add, 'ada@example.org']);
    expect(first.stderr).toBe(`created a new database: ${path}\n`);
    const second = await runCommand([...add, 'bob@example.org']);
    expect(second.stderr).toBe('');
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
  });
});
