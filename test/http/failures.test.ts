/** Searches that started and failed: 504 and 500, with the credit returned. */
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copySampleIndex, removeDatabase, type Service, startService } from '../support/service.ts';
import {
  addAccount,
  type Caller,
  expectAudited,
  expectError,
  type Got,
  LONG_QUERY,
  ledger,
  logged,
  readUsage,
  search,
  takeRequestId,
  untilHealth,
} from './contract.ts';

const CREDITS = 20;

let service: Service;
let caller: Caller;

async function start(env: Record<string, string>): Promise<void> {
  const database = await copySampleIndex();
  const { secret } = addAccount({ url: '', database }, { credits: CREDITS });
  service = await startService(database, env);
  caller = { url: service.url, secret };
}

async function stop(): Promise<void> {
  expect(await service.end()).toBe(0);
  await removeDatabase(service.database);
}

/** The log's entries of one request, when the last of them, that of its end, has come. */
async function entriesOf(requestId: string): Promise<Record<string, unknown>[]> {
  const entries = () => service.log.filter((entry) => entry['request_id'] === requestId);
  await expect.poll(() => entries().some(({ event }) => event === 'request')).toBe(true);
  return entries();
}

/** The credit was held and released, and nothing was counted. */
async function expectNothingCharged(searches: number): Promise<void> {
  expect(await readUsage(caller)).toMatchObject({ requests: 0, credits: 0, balance: CREDITS });
  const entries = ledger(service.database);
  expect(entries.filter(({ kind }) => kind === 'hold')).toHaveLength(searches);
  expect(entries.filter(({ kind }) => kind === 'release')).toHaveLength(searches);
  expect(entries).toHaveLength(2 * searches + 1);
  await expectAudited(service.database);
}

describe('a search above the time limit', () => {
  beforeAll(() => start({ VERBATIM_REQUEST_TIMEOUT_MS: '1' }));
  afterAll(stop);

  it('returns 504 and charges nothing', async () => {
    const answers: Got[] = [];
    for (let i = 0; i < 3; i++) answers.push(await search(caller, { query: LONG_QUERY }));
    for (const answer of answers) {
      expectError(answer, {
        status: 504,
        message: 'search timed out',
        headers: { 'x-credit-balance': String(CREDITS) },
      });
    }
    await expectNothingCharged(answers.length);
    // It is expected, and no defect to be looked into.
    expect(logged(service, 'search_failed')).toEqual([]);
  });
});

describe('a search that fails', () => {
  const query = 'quetzalcoatlus northropi wingspan';

  beforeAll(async () => {
    await start({});
    const db = new Database(service.database);
    db.exec('DROP TABLE postings');
    db.close();
  });
  afterAll(stop);

  it('returns 500 without details, charges nothing, and is logged once', async () => {
    const got = await search(caller, { query });
    const requestId = String(got.headers['x-request-id']);
    expectError(got, {
      status: 500,
      message: 'internal error',
      headers: { 'x-credit-balance': String(CREDITS) },
    });
    await expectNothingCharged(1);
    const entries = await entriesOf(requestId);
    expect(entries.map(({ event, level }) => `${event} ${level}`)).toEqual([
      'search_failed error',
      'request info',
    ]);
    expect(entries[0]?.['reason']).toContain('postings');
  });

  it('logs neither the query nor the key', async () => {
    const log = JSON.stringify(service.log).toLowerCase();
    for (const word of query.split(' ')) expect(log).not.toContain(word);
    expect(log).not.toContain(caller.secret.toLowerCase());
  });

  it('returns the same error each time, and the server keeps serving', async () => {
    for (let i = 0; i < 3; i++) {
      const got = await search(caller, { query: `${query} ${i}` });
      expect([got.status, got.text]).toEqual([500, 'internal error']);
      takeRequestId(got);
    }
    await expectNothingCharged(4);
  });
});

describe('a search whose credit cannot be held', () => {
  beforeAll(() => start({ VERBATIM_LOCK_WAIT_MS: '50' }));
  afterAll(stop);

  it('returns 503, and the next search is served', async () => {
    const db = new Database(service.database);
    db.exec('BEGIN IMMEDIATE');
    const got = await search(caller);
    db.exec('ROLLBACK');
    db.close();
    expectError(got, {
      status: 503,
      message: 'service degraded, retry shortly',
      headers: { 'retry-after': '1', 'x-credit-balance': String(CREDITS) },
    });
    await untilHealth(service.url, { status: 'ok' });
    const served = await search(caller);
    expect(served.status).toBe(200);
    expect(served.headers['x-credit-balance']).toBe(String(CREDITS - 1));
  });
});
