/** One balance and many searches at once: each is paid for once, and only by what is there. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  copySampleIndex,
  createKey,
  removeDatabase,
  type Service,
  startService,
} from '../support/service.ts';
import {
  addAccount,
  type Caller,
  expectAudited,
  expectError,
  holdWriters,
  ledger,
  openConnection,
  readUsage,
  search,
  searchHead,
  untilUsage,
} from './contract.ts';

const SEARCHES = 100;

let service: Service;
let release = (): void => {};

beforeAll(async () => {
  const database = await copySampleIndex();
  service = await startService(database, {
    VERBATIM_REQUESTS_PER_MINUTE: '100000',
    VERBATIM_LOCK_WAIT_MS: '60000',
    VERBATIM_IN_FLIGHT_PER_KEY_MAX: '1000',
    VERBATIM_IN_FLIGHT_MAX: '1000',
    VERBATIM_REQUEST_TIMEOUT_MS: '60000',
  });
});

afterEach(() => release());

afterAll(async () => {
  await expectAudited(service.database);
  await service.end();
  await removeDatabase(service.database);
});

/** Searches all at once; returns how many had each status. */
async function searchAtOnce(callers: readonly Caller[]): Promise<Record<number, number>> {
  const answers = await Promise.all(callers.map((caller) => search(caller, { query: 'sleep' })));
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    expectError(answer, {
      status: 402,
      message: 'insufficient credit balance — top up to continue',
      headers: { 'x-credit-balance': '0' },
    });
  }
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describe('a balance of 1', () => {
  it('serves exactly one of 100 searches at once', async () => {
    const caller = addAccount(service, { email: 'one@example.org', credits: 1 });
    const counts = await searchAtOnce(Array(SEARCHES).fill(caller));
    expect(counts).toEqual({ 200: 1, 402: SEARCHES - 1 });
    await untilUsage(caller, { requests: 1, credits: 1, balance: 0 });
    const kinds = ledger(service.database, 'one@example.org').map(({ kind }) => kind);
    expect(kinds).toEqual(['settle', 'hold', 'topup']);
  });

  it('serves exactly one of 100 searches that all passed the precheck', async () => {
    const email = 'race@example.org';
    const caller = addAccount(service, { email, credits: 1 });
    const { secret } = await createKey(service.database, { email });
    const other: Caller = { url: service.url, secret };
    release = holdWriters(service.database);
    const searching = searchAtOnce(
      Array.from({ length: SEARCHES }, (_, i) => (i % 2 ? caller : other)),
    );
    // None is paid yet, and all find the credit.
    for (let i = 0; i < 5; i++) expect((await readUsage(caller)).balance).toBe(1);
    release();
    expect(await searching).toEqual({ 200: 1, 402: SEARCHES - 1 });
    expect((await readUsage(caller)).balance).toBe(0);
  });
});

describe('a balance of 40', () => {
  it('serves exactly 40 of 100 searches at once', async () => {
    const caller = addAccount(service, { email: 'forty@example.org', credits: 40 });
    const counts = await searchAtOnce(Array(SEARCHES).fill(caller));
    expect(counts).toEqual({ 200: 40, 402: 60 });
    await untilUsage(caller, { requests: 40, credits: 40, balance: 0 });
  });
});

describe('many sequential and concurrent searches', () => {
  it('all succeed', async () => {
    const caller = addAccount(service, { email: 'many@example.org', credits: 1000 });
    const searchInARow = async (): Promise<void> => {
      for (let i = 0; i < 30; i++) expect((await search(caller)).status).toBe(200);
    };
    await Promise.all(Array.from({ length: 8 }, searchInARow));
    await untilUsage(caller, { requests: 240, credits: 240, balance: 760 });
  });
});

describe('a client that disconnects before the response', () => {
  it('is not charged', async () => {
    const email = 'impatient@example.org';
    const caller = addAccount(service, { email, credits: 5, inFlightMax: 1 });
    release = holdWriters(service.database);
    const { socket, text } = await openConnection(service.url);
    const body = JSON.stringify({ query: 'sleep' });
    socket.write(searchHead(caller.secret, body.length) + body);
    // The one place of the key is taken when the server has the search.
    await expect.poll(async () => (await search(caller, '{')).status).toBe(429);
    socket.destroy();
    // By the time of these answers the server has seen that the connection is gone.
    for (let i = 0; i < 3; i++) await readUsage(caller);
    release();
    const requests = () => service.log.filter(({ sent }) => sent === false);
    await expect.poll(requests).toHaveLength(1);
    expect(requests()[0]).toMatchObject({ event: 'request', path: '/v1/search' });
    expect(text()).toBe('');
    await expect.poll(async () => (await readUsage(caller)).balance).toBe(5);
    expect(await readUsage(caller)).toMatchObject({ requests: 0, credits: 0 });
    const kinds = ledger(service.database, email).map(({ kind }) => kind);
    expect(kinds).toEqual(['release', 'hold', 'topup']);
  });
});
