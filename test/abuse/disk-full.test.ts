/**
 * The disk of a server is full, fails, or its database is locked by another process. Nobody pays
 * for a search in that time, everybody is told, and the server goes on by itself afterwards.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openStore } from '../../src/database/open.ts';
import { bundlePath } from '../../src/settings/bundle.ts';
import {
  type Caller,
  expectAudited,
  expectError,
  type Got,
  holdWriters,
  logged,
  readUsage,
  search,
  send,
  untilHealth,
  untilUsage,
} from '../http/contract.ts';
import { temporaryFolder } from '../support/accounts.ts';
import { withLimits } from '../support/limits.ts';
import { scrape } from '../support/scrape.ts';
import {
  copySampleIndex,
  createCustomer,
  removeDatabase,
  type Service,
  startService,
} from '../support/service.ts';
import { createSmallDisk, obstacleToSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { audit, expectFailed, expectLogged, expectRefused, QUICK, QUICK_LIMITS } from './faults.ts';

const CREDITS = 1000;
const DISK_MEGABYTES = 16;
/** Time to fill the disk between an answer and its settlement. */
const SLOW_SETTLE = { ...QUICK, ...withLimits({ ...QUICK_LIMITS, settleDelayMs: 1_500 }) };

const obstacle = obstacleToSmallDisk();
const where = obstacle === undefined ? '' : ` (skipped: ${obstacle})`;

/** A full disk may still have room in a page of the log, for a search or two. */
async function searchUntilRefused(caller: Caller): Promise<{ got: Got; served: number }> {
  for (let served = 0; served < 20; served++) {
    const got = await search(caller);
    if (got.status !== 200) return { got, served };
  }
  return expect.fail('a full disk takes every search');
}

describe.skipIf(obstacle !== undefined)(`a server whose disk is full${where}`, () => {
  let disk: SmallDisk;
  let database: string;
  let secret: string;
  let service: Service;
  let caller: Caller;

  beforeEach(async () => {
    disk = await createSmallDisk(DISK_MEGABYTES);
    const original = await copySampleIndex();
    ({ secret } = createCustomer(original, { credits: CREDITS }));
    copyFileSync(original, join(disk.seenAs, 'verbatim.db'));
    await removeDatabase(original);
    database = join(disk.folder, 'verbatim.db');
  });

  afterEach(async () => {
    await service.end('SIGKILL');
    disk.end();
  });

  async function start(env: Record<string, string> = QUICK): Promise<void> {
    service = await startService(database, env, disk.through);
    caller = { url: service.url, secret };
  }

  /** Nothing differs, and nothing is held any more. */
  async function expectClean(): Promise<void> {
    await vi.waitFor(
      async () =>
        expect(await audit(database, disk.through)).toMatchObject({ held: 0, differences: [] }),
      { timeout: 10_000, interval: 200 },
    );
  }

  it('reports it, charges nothing, and recovers when there is room', async () => {
    await start();
    expect((await search(caller)).status).toBe(200);
    await untilUsage(caller, { requests: 1 });
    disk.fill();
    const { got, served } = await searchUntilRefused(caller);
    const balance = CREDITS - 1 - served;
    expectFailed(got, balance);
    const health = await untilHealth(service.url, { status: 'degraded' });
    expect(health.status).toBe(503);
    expect(JSON.parse(health.text)).toEqual({
      status: 'degraded',
      reason: 'the disk is full (SQLITE_FULL)',
    });
    const live = await send(service.url, { path: '/health?live' });
    expect(live).toMatchObject({ status: 200, text: health.text });
    const { metricsUrl } = service;
    expect(await send(metricsUrl, { path: '/live' })).toMatchObject({ status: 200 });
    const ready = await send(metricsUrl, { path: '/ready' });
    expect(ready).toMatchObject({ status: 503, text: health.text });
    const full = await scrape(metricsUrl);
    expect(full.sum('verbatim_ready')).toBe(0);
    expect(full.sum('verbatim_ledger_degraded')).toBe(1);
    expect(full.sum('verbatim_database_disk_free_bytes')).toBeLessThan(64 * 1024);
    await expectRefused(caller);
    await expectRefused(caller);
    expect(await readUsage(caller)).toMatchObject({ balance });
    disk.empty();
    await untilHealth(service.url, { status: 'ok' });
    const after = await search(caller);
    expect(after.status).toBe(200);
    expect(after.headers['x-credit-balance']).toBe(String(balance - 1));
    await untilUsage(caller, { requests: served + 2, balance: balance - 1 });
    const again = await scrape(metricsUrl);
    expect(again.sum('verbatim_ready')).toBe(1);
    expect(again.sum('verbatim_ledger_degraded')).toBe(0);
    // Also those that were written only when there was room again.
    expect(again.sum('verbatim_holds_settled_total')).toBe(served + 2);
    expect(again.sum('verbatim_holds_open')).toBe(0);
    expectLogged(service, [/disk is full/]);
    await expectClean();
  });

  it('notices it without another request and charges the answered searches later', async () => {
    await start(SLOW_SETTLE);
    expect((await search(caller)).status).toBe(200);
    disk.fill();
    await untilHealth(service.url, { status: 'degraded' });
    expect(await readUsage(caller)).toMatchObject({ requests: 0, balance: CREDITS - 1 });
    disk.empty();
    await untilHealth(service.url, { status: 'ok' });
    await untilUsage(caller, { requests: 1, balance: CREDITS - 1 });
    expectLogged(service, [/disk is full/]);
    await expectClean();
  });

  it('loses its pending charges when it is killed', async () => {
    await start(SLOW_SETTLE);
    expect((await search(caller)).status).toBe(200);
    disk.fill();
    await untilHealth(service.url, { status: 'degraded' });
    await service.end('SIGKILL');
    // The release of the hold may fit into the room that the write-ahead log already has.
    const refusal = await start().then(
      () => undefined,
      ({ message }: Error) => message,
    );
    disk.empty();
    if (refusal !== undefined) {
      expect(refusal).toContain(
        `cannot use ${database} as a database: the disk is full (SQLITE_FULL)`,
      );
      await start();
    }
    expect(logged(service, 'released_holds_of_a_crash')).toMatchObject([{ holds: 1 }]);
    expect(await readUsage(caller)).toMatchObject({ requests: 0, balance: CREDITS });
    await expectClean();
  });

  it('stops within the drain timeout', async () => {
    await start(SLOW_SETTLE);
    expect((await search(caller)).status).toBe(200);
    disk.fill();
    await untilHealth(service.url, { status: 'degraded' });
    const asked = performance.now();
    expect(await service.end('SIGTERM')).toBe(0);
    expect(performance.now() - asked).toBeLessThan(30_000);
    expect(logged(service, 'ledger_not_written')).toMatchObject([{ operations: 1 }]);
    disk.empty();
    await start();
    expect(await readUsage(caller)).toMatchObject({ requests: 0, balance: CREDITS });
    await expectClean();
  });

  it('writes its pending charges while it stops, if there is room by then', async () => {
    await start({ ...SLOW_SETTLE, VERBATIM_DRAIN_TIMEOUT_MS: '20000' });
    expect((await search(caller)).status).toBe(200);
    disk.fill();
    await untilHealth(service.url, { status: 'degraded' });
    const ended = service.end('SIGTERM');
    await vi.waitFor(() => expect(logged(service, 'stopping')).toHaveLength(1), 10_000);
    disk.empty();
    expect(await ended).toBe(0);
    expect(logged(service, 'ledger_not_written')).toEqual([]);
    await start();
    expect(await readUsage(caller)).toMatchObject({ requests: 1, balance: CREDITS - 1 });
    await expectClean();
  });
});

describe.skipIf(obstacle !== undefined)(`a server whose log is on a full disk${where}`, () => {
  it('keeps serving and writes its log again when there is room', async () => {
    const disk = await createSmallDisk(DISK_MEGABYTES);
    const database = await copySampleIndex();
    const { secret } = createCustomer(database, { credits: CREDITS });
    const log = join(disk.folder, 'server.log');
    const readLog = (): string => readFileSync(join(disk.seenAs, 'server.log'), 'utf8');
    const args = [process.execPath, bundlePath(), 'serve', '--db', database];
    const [program = '', ...rest] = [
      ...[...disk.through, 'sh', '-c', 'exec "$@" 2>> "$0"', log, ...args],
      ...['--host', '127.0.0.1', '--port', '0'],
    ];
    const server = spawn(program, rest, { stdio: 'ignore' });
    const port = await vi.waitFor(
      () => /"serving".*"port":(\d+)/.exec(readLog())?.[1] ?? expect.fail('not serving yet'),
      { timeout: 30_000, interval: 50 },
    );
    const caller = { url: `http://127.0.0.1:${port}`, secret };
    disk.fill();
    for (let i = 0; i < 50; i++) expect((await search(caller)).status).toBe(200);
    const { length } = readLog();
    disk.empty();
    expect((await search(caller)).status).toBe(200);
    await vi.waitFor(() => expect(readLog().length).toBeGreaterThan(length), 10_000);
    expect(server.exitCode).toBeNull();
    server.kill('SIGKILL');
    await removeDatabase(database);
    disk.end();
  });
});

/** Faults that need no disk of their own: each returns what ends it. */
const faults: [what: string, reason: RegExp, begin: (service: Service) => () => void][] = [
  [
    'whose disk fails',
    /I\/O error \(SQLITE_IOERR/,
    ({ process: { pid } }) => {
      limitFiles(Number(pid), '1');
      return () => limitFiles(Number(pid), 'unlimited');
    },
  ],
  [
    'whose database is locked for long',
    /another process holds the database locked \(SQLITE_BUSY/,
    ({ database }) => holdWriters(database),
  ],
];

/** The kernel then fails each write behind the limit (EFBIG), which SQLite takes for a bad disk. */
function limitFiles(pid: number, bytes: string): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);
}

describe.each(faults)('a server %s', (_what, reason, begin) => {
  let database: string;
  let service: Service;
  let caller: Caller;

  beforeAll(async () => {
    database = await copySampleIndex();
    const { secret } = createCustomer(database, { credits: CREDITS });
    service = await startService(database, QUICK);
    caller = { url: service.url, secret };
  });

  afterAll(async () => {
    await service.end('SIGKILL');
    await removeDatabase(database);
  });

  it('reports it, charges nothing, and recovers afterward', async () => {
    expect((await search(caller)).status).toBe(200);
    await untilUsage(caller, { requests: 1 });
    const end = begin(service);
    expectFailed(await search(caller), CREDITS - 1);
    const health = await untilHealth(service.url, { status: 'degraded' });
    expect(health.status).toBe(503);
    expect(JSON.parse(health.text)).toMatchObject({ reason: expect.stringMatching(reason) });
    await expectRefused(caller);
    end();
    await untilHealth(service.url, { status: 'ok' });
    expect((await search(caller)).headers['x-credit-balance']).toBe(String(CREDITS - 2));
    await untilUsage(caller, { requests: 2, balance: CREDITS - 2 });
    expectLogged(service, [reason]);
    await expectAudited(database);
  });

  it('survives many searches at the moment the fault begins', async () => {
    const before = await readUsage(caller);
    const searches = Array.from({ length: 8 }, () => search(caller));
    const end = begin(service);
    const statuses = (await Promise.all(searches)).map(({ status }) => status);
    end();
    await untilHealth(service.url, { status: 'ok' });
    const served = statuses.filter((status) => status === 200).length;
    expect(statuses.filter((status) => ![200, 503].includes(status))).toEqual([]);
    await untilUsage(caller, {
      requests: before.requests + served,
      balance: before.balance - served,
    });
    await expectAudited(database);
  });
});

/** They would refuse a connection, but nobody asks them. */
const LANES_ON = {
  VERBATIM_LANES: 'arxiv',
  VERBATIM_LANE_CONTACT: 'ops@example.org',
  VERBATIM_ARXIV_URL: 'http://127.0.0.1:9',
};

describe('an index without documents', () => {
  const folder = temporaryFolder();

  it.each([
    ['lanes are off', {}, { query: 'sleep' }],
    ['the customer keeps it from all lanes', LANES_ON, { query: 'sleep', lanes: 'none' }],
  ])('rejects searches without charging if %s', async (_, env, body) => {
    const database = join(folder, `${randomUUID()}.db`);
    openStore({ path: database, lockWaitMs: 0 }).close();
    const { secret } = createCustomer(database, { credits: CREDITS });
    const service = await startService(database, env);
    const caller = { url: service.url, secret };
    expectError(await search(caller, body), {
      status: 503,
      message: 'no documents indexed yet',
      headers: { 'retry-after': /^[1-9]\d*$/ },
    });
    expect(await readUsage(caller)).toMatchObject({ requests: 0, balance: CREDITS });
    await untilHealth(service.url, { status: 'ok', documents: 0 });
    await service.end();
  });
});
