/** Limits of searches in flight: per key (429) and in total (503). */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  copySampleIndex,
  createCustomer,
  createKey,
  removeDatabase,
  type Service,
  startService,
} from '../support/service.ts';
import {
  addAccount,
  type Caller,
  type ExpectedError,
  expectAudited,
  expectError,
  fillPlaces,
  getUsage,
  holdWriters,
  LONG_QUERY,
  openConnection,
  readUsage,
  search,
  searchHead,
  untilUsage,
} from './contract.ts';

const CREDITS = 1000;
const IN_FLIGHT_PER_KEY_MAX = 2;
const roomy = ['--in-flight', '1000', '--requests-per-minute', '100000'];

const keyIsBusy: ExpectedError = {
  status: 429,
  message: 'rate limit exceeded',
  code: 'too_many_in_flight',
  headers: { 'retry-after': /^[1-9]\d*$/ },
};
const atCapacity: ExpectedError = {
  status: 503,
  message: 'server at capacity, retry shortly',
  code: 'at_capacity',
  headers: { 'retry-after': /^[1-9]\d*$/ },
};

let service: Service;
let caller: Caller;
let release = (): void => {};

beforeAll(async () => {
  const database = await copySampleIndex();
  createCustomer(database, { credits: CREDITS });
  service = await startService(database, {
    VERBATIM_IN_FLIGHT_MAX: '1',
    VERBATIM_SEARCH_THREADS: '1',
    VERBATIM_IN_FLIGHT_PER_KEY_MAX: String(IN_FLIGHT_PER_KEY_MAX),
    VERBATIM_REQUESTS_PER_MINUTE: '100000',
    VERBATIM_LOCK_WAIT_MS: '60000',
  });
  caller = { url: service.url, secret: (await createKey(database, { options: roomy })).secret };
});

afterEach(() => release());

afterAll(async () => {
  await expectAudited(service.database);
  await service.end();
  await removeDatabase(service.database);
});

/** Opens a search whose body never comes, which takes a place of its key. */
async function openUnfinished(secret: string, bytes = 100): ReturnType<typeof openConnection> {
  const connection = await openConnection(service.url);
  connection.socket.write(searchHead(secret, bytes));
  return connection;
}

/** Until the key's places are seen to be taken, or free. */
async function untilStatus(secret: string, status: number): Promise<void> {
  while ((await search({ url: service.url, secret })).status !== status) await wait(20);
}

describe('a key with all its searches in flight', () => {
  it('gets 429 with rate headers, and is served when a search ends', async () => {
    const { secret } = await createKey(service.database);
    const busy = { url: service.url, secret };
    const open = [await openUnfinished(secret), await openUnfinished(secret)];
    await untilStatus(secret, 429);
    const refused = await search(busy);
    expectError(refused, keyIsBusy);
    expect(refused.headers['ratelimit-limit']).toBe('100000');
    const wrongType = await search(busy, '{', { headers: { 'content-type': 'text/plain' } });
    expectError(wrongType, keyIsBusy);
    expect((await getUsage(busy)).status).toBe(200);
    expect((await search(caller)).status).toBe(200);
    open[0]?.socket.destroy();
    await untilStatus(secret, 200);
    open[1]?.socket.destroy();
  });

  it('may have its own limit', async () => {
    const { secret } = await createKey(service.database, { options: ['--in-flight', '1'] });
    const { socket } = await openUnfinished(secret);
    await untilStatus(secret, 429);
    socket.destroy();
    await untilStatus(secret, 200);
  });

  it('serves the search that holds the permit', async () => {
    const { secret } = await createKey(service.database, { options: ['--in-flight', '1'] });
    const body = JSON.stringify({ query: 'sleep', limit: 1 });
    const { socket, text } = await openUnfinished(secret, body.length);
    await untilStatus(secret, 429);
    socket.write(body);
    await expect.poll(text).toMatch(/^HTTP\/1.1 200 .*"n":1/s);
    socket.destroy();
  });
});

/** What `Retry-After` says of a busy key, or of a busy server. */
async function retryAfterOf(busy: Caller, expected: ExpectedError): Promise<number> {
  const refused = await search(busy);
  expectError(refused, expected);
  return Number(refused.headers['retry-after']);
}

describe('Retry-After of a refused search', () => {
  it('grows while the permit is held, up to the time limit', async () => {
    const email = 'waiting@example.org';
    const busy = addAccount(service, { email, credits: CREDITS, inFlightMax: 1 });
    release = holdWriters(service.database);
    const { admitted } = await fillPlaces(busy, 1);
    const waits: number[] = [];
    await expect
      .poll(
        async () => {
          // Of the key's own places, and of all places, which is the other key's refusal.
          waits.push(await retryAfterOf(busy, keyIsBusy), await retryAfterOf(caller, atCapacity));
          return Math.min(...waits.slice(-2));
        },
        { timeout: 30_000, interval: 100 },
      )
      .toBeGreaterThanOrEqual(3);
    // A body's and a search's time, by default.
    expect(Math.max(...waits)).toBeLessThanOrEqual(40);
    release();
    expect((await Promise.all(admitted)).map(({ status }) => status)).toEqual([200]);
  });
});

describe('a server with all searches in flight', () => {
  it('returns 503 after checking the request and the credit', async () => {
    const poor = addAccount(service, { email: 'poor@example.org' });
    const { balance } = await readUsage(caller);
    release = holdWriters(service.database);
    const { refused, admitted } = await fillPlaces(caller, 1);
    expectError(refused, atCapacity);
    expectError(await search(caller), atCapacity);
    expectError(await search(caller, { query: '' }), { status: 400, message: 'empty query' });
    expectError(await search(poor), {
      status: 402,
      message: 'insufficient credit balance — top up to continue',
      headers: { 'x-credit-balance': '0' },
    });
    expect((await getUsage(caller)).status).toBe(200);
    expect((await readUsage(caller)).balance).toBe(balance);
    release();
    expect((await Promise.all(admitted)).map(({ status }) => status)).toEqual([200]);
    expect((await search(caller)).status).toBe(200);
    expect((await readUsage(caller)).balance).toBe(balance - 2);
  });

  it('charges only the searches that it serves', async () => {
    const email = 'many@example.org';
    const account = addAccount(service, { email, credits: CREDITS, inFlightMax: 1_000 });
    const searches = Array.from({ length: 20 }, () => search(account, { query: LONG_QUERY }));
    const answers = await Promise.all(searches);
    const served = answers.filter(({ status }) => status === 200).length;
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectError(answer, atCapacity);
    }
    expect(served).toBeGreaterThan(0);
    await untilUsage(account, { requests: served, balance: CREDITS - served });
  });
});
