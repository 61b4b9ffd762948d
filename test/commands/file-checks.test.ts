/** The check of the file beside a real server, as a real process on a file with pages overwritten. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startFileChecks } from '../../src/commands/file-checks.ts';
import { createDamageRegister } from '../../src/database/damage/damage-register.ts';
import { openStore } from '../../src/database/open.ts';
import { createLog } from '../../src/log.ts';
import { damagePages } from '../support/damage.ts';
import { PATIENT } from '../support/patient.ts';
import { scrape } from '../support/scrape.ts';
import {
  copySampleIndex,
  createCustomer,
  postSearch,
  removeDatabase,
  type Service,
  startService,
} from '../support/service.ts';
import { runVerbatim } from '../support/verbatim.ts';

/** Checks as often and as fast as it can. */
const FAST = {
  VERBATIM_FILE_CHECK_INTERVAL_HOURS: '24',
  VERBATIM_FILE_CHECK_PERCENT: '100',
  VERBATIM_OPERATOR: 'true',
  VERBATIM_REQUESTS_PER_MINUTE: '1000000',
};
/** A check that does not end while a test looks. */
const SLOW = { ...FAST, VERBATIM_FILE_CHECK_PERCENT: '1' };
const HOUR_MS = 3_600_000;
/** Between searches: the check has the lowest priority. */
const PAUSE_MS = 50;

let database: string;
let secret: string;
let service: Service | undefined;

beforeEach(async () => {
  database = await copySampleIndex();
  secret = createCustomer(database, { credits: 1_000_000 }).secret;
});
afterEach(async () => {
  await service?.end();
  service = undefined;
  vi.unstubAllEnvs();
  await removeDatabase(database);
});

/** Writes records for a build into a file beside the database. */
function writeRecords(count: number): string {
  const path = `${database}.jsonl`;
  const records = Array.from({ length: count }, (_, number) => ({
    id: `https://example.org/rivers/${number}`,
    title: `A study of rivers and the number ${number}`,
    abstract: `We measured ${number} times how rivers change. They changed in every case.`,
    year: 1990 + (number % 30),
  }));
  writeFileSync(path, records.map((record) => JSON.stringify(record)).join('\n'));
  return path;
}

async function health(): Promise<{ httpStatus: number; status: string; reason?: string }> {
  const response = await fetch(`${service?.url}/health`);
  const body = (await response.json()) as { status: string; reason?: string };
  return { httpStatus: response.status, ...body };
}

/** The pid of the check that runs beside a process; undefined if none does. */
function checkOf(pid: number | undefined): number | undefined {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/);
  const isCheck = (child: string) =>
    child !== '' && commandOf(Number(child)).includes(`\0check-file\0--db\0${database}`);
  return children.filter(isCheck).map(Number)[0];
}

function commandOf(pid: number): string {
  // A process that has ended and that nobody has waited for has no command.
  return existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '';
}

async function untilCheckRuns(pid: number | undefined): Promise<number> {
  await expect.poll(() => checkOf(pid), PATIENT).toBeDefined();
  return checkOf(pid) as number;
}

function events(name: string) {
  return service?.log.filter(({ event }) => event === name) ?? [];
}

describe('beside a server', () => {
  it('notices damage to the ledger that nothing else notices', async () => {
    // The first page: entries of long ago, which no search reads.
    damagePages(database, 'ledger_entries', { choose: (leaves) => leaves.slice(0, 1) });
    service = await startService(database, { ...FAST, VERBATIM_FILE_CHECK_INTERVAL_HOURS: '0' });
    expect(checkOf(service.process.pid)).toBeUndefined();
    const before = await health();
    await service.end();

    service = await startService(database, FAST);
    await expect.poll(() => events('file_checked').length, PATIENT).toBe(1);
    expect(before.httpStatus).toBe(200);
    expect(await health()).toMatchObject({
      httpStatus: 503,
      reason: expect.stringContaining('ledger_entries'),
    });
    const { sum } = await scrape(service.metricsUrl);
    expect(sum('verbatim_damaged_parts', { part: 'ledger_entries' })).toBe(1);
    expect(sum('verbatim_file_check_damaged_parts')).toBeGreaterThanOrEqual(1);
    const page = await (await fetch(`${service.operatorUrl}/operator`)).text();
    expect(page).toMatch(/Last check of the file.*damaged part/s);
  });

  it('says when it found a file sound, with a build and searches at the same time', async () => {
    service = await startService(database, FAST);
    const { sum } = await scrape(service.metricsUrl);
    expect(sum('verbatim_file_check_timestamp_seconds')).toBeUndefined();
    const records = writeRecords(50);
    const build = runVerbatim(['index', 'add', records, '--db', database]);
    while (events('file_checked').length === 0) {
      expect((await postSearch(service.url, secret)).status).toBe(200);
      await sleep(PAUSE_MS);
    }
    await build;
    expect(events('file_checked')).toMatchObject([{ damaged: 0, longest_read: /\w/ }]);
    expect(events('damaged')).toEqual([]);
    const after = await scrape(service.metricsUrl);
    expect(after.sum('verbatim_file_check_damaged_parts')).toBe(0);
    const endedAt = after.sum('verbatim_file_check_timestamp_seconds') ?? 0;
    expect(Math.abs(endedAt * 1_000 - Date.now())).toBeLessThan(HOUR_MS);
    const page = await (await fetch(`${service.operatorUrl}/operator`)).text();
    expect(page).toMatch(/Last check of the file.*no damage/s);
  });

  it('runs at the lowest priority, and proves nothing when it is killed', async () => {
    service = await startService(database, SLOW);
    const pid = await untilCheckRuns(service.process.pid);
    const niceness = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[18];
    await expect.poll(niceness, PATIENT).toBe('19');
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => events('file_check_failed').length, PATIENT).toBe(1);
    expect(events('file_check_failed')).toMatchObject([{ reason: 'it ended with SIGKILL' }]);
    expect(events('file_checked')).toEqual([]);
    const { sum } = await scrape(service.metricsUrl);
    expect(sum('verbatim_file_check_timestamp_seconds')).toBeUndefined();
    expect((await health()).httpStatus).toBe(200);
  });

  it('ends with the server that is stopped, or killed', async () => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      service = await startService(database, SLOW);
      const pid = await untilCheckRuns(service.process.pid);
      expect(await service.end(signal)).toBe(signal === 'SIGTERM' ? 0 : null);
      await expect.poll(() => commandOf(pid), PATIENT).toBe('');
      expect(events('file_check_failed')).toEqual([]);
    }
  });
});

describe('checks one after the other', () => {
  /** Checks of this file without a server, repeatedly. */
  function startChecks() {
    const lines: Record<string, unknown>[] = [];
    const log = createLog((line) => void lines.push(JSON.parse(line)));
    const damage = createDamageRegister(log);
    const settings = {
      database,
      readOnlyIndex: '',
      indexAddress: '',
      fileCheckIntervalHours: 1e-5,
    };
    vi.stubEnv('VERBATIM_FILE_CHECK_PERCENT', '100');
    const stop = startFileChecks({ settings, config: 'none', log, damage, switches: () => 0 });
    const count = (event: string) => lines.filter((line) => line['event'] === event).length;
    return { lines, damage, stop, count };
  }

  it('forget damage that was repaired', async () => {
    const { repair } = damagePages(database, 'signals');
    const { damage, stop, count } = startChecks();
    await expect.poll(() => count('file_checked'), PATIENT).toBeGreaterThan(0);
    expect(damage.all()).toMatchObject([{ part: 'signals', isBlocking: true }]);
    repair();
    await expect.poll(() => damage.all(), PATIENT).toEqual([]);
    await stop();
    expect(count('damage_gone')).toBe(1);
    expect(damage.lastCheck()).toMatchObject({ damagedParts: 0 });
  });

  it('take a locked file for no damage and for no proof', async () => {
    vi.stubEnv('VERBATIM_LOCK_WAIT_MS', '50');
    const db = openStore({ path: database, lockWaitMs: 5_000 });
    // Only without the write-ahead log can a writer keep readers out.
    db.pragma('journal_mode = DELETE');
    db.exec('BEGIN EXCLUSIVE');
    const { lines, damage, stop, count } = startChecks();
    damage.report({ part: 'postings', isBlocking: true, reason: 'postings: damaged' });
    await expect.poll(() => count('file_check_failed'), PATIENT).toBeGreaterThan(0);
    expect(lines.find(({ event }) => event === 'file_check_failed')).toMatchObject({
      reason: expect.stringContaining('another process holds the database locked'),
    });
    expect(damage.all()).toMatchObject([{ part: 'postings' }]);
    expect(damage.lastCheck()).toBeUndefined();
    db.close();
    await expect.poll(() => damage.lastCheck(), PATIENT).toBeDefined();
    await stop();
  });

  it('find a file that is no database any more', async () => {
    damagePages(database, 'sqlite_schema', { change: (page) => page.fill(0x20, 0, 100) });
    const { damage, stop } = startChecks();
    await expect
      .poll(() => damage.all(), PATIENT)
      .toMatchObject([{ part: 'file', isBlocking: true }]);
    await stop();
  });
});

describe('verbatim check-file', () => {
  it('prints damage and its end, and exits with 1', async () => {
    damagePages(database, 'members');
    const args = ['check-file', '--db', database];
    const { stdout, stderr } = await runVerbatim(args, {
      env: { VERBATIM_FILE_CHECK_PERCENT: '100' },
      code: 1,
    });
    const [damage, ended] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(damage).toMatchObject({ damage: { part: 'members', isBlocking: false } });
    expect(ended).toMatchObject({ ended: { longestRead: expect.any(String) } });
    expect(stderr).toContain('damaged parts of the file: 1');
  });
});
