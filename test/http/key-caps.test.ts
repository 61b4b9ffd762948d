/** Caps of keys and disabled customers, in a running server: the same sockets as anybody's. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  copySampleIndex,
  createKey,
  removeDatabase,
  type Service,
  startService,
} from '../support/service.ts';
import { runVerbatim } from '../support/verbatim.ts';
import {
  addAccount,
  type Caller,
  expectAudited,
  expectError,
  getUsage,
  holdWriters,
  readUsage,
  search,
  untilUsage,
} from './contract.ts';

const CAP = 7;

let service: Service;
let release = (): void => {};

beforeAll(async () => {
  service = await startService(await copySampleIndex(), {
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

/** A customer with 100 credits: a caller without a cap, and one with. */
async function addCapped(email: string): Promise<{ free: Caller; capped: Caller }> {
  const free = addAccount(service, { email, credits: 100 });
  const { secret } = await createKey(service.database, {
    email,
    options: ['--cap', String(CAP)],
  });
  return { free, capped: { url: service.url, secret } };
}

/** How many of so many searches at once had each status. */
async function searchAtOnce(caller: Caller, searches: number): Promise<Record<number, number>> {
  const answers = await Promise.all(Array.from({ length: searches }, () => search(caller)));
  const counts: Record<number, number> = {};
  for (const answer of answers) {
    counts[answer.status] = (counts[answer.status] ?? 0) + 1;
    if (answer.status === 200) continue;
    expectError(answer, {
      status: 402,
      message: 'monthly credit cap of this key reached',
      headers: { 'x-credit-balance': /^\d+$/ },
    });
  }
  return counts;
}

describe('a key with a cap', () => {
  it('never exceeds the cap under concurrent searches, while other keys keep working', async () => {
    const { free, capped } = await addCapped('cap@example.org');
    expect(await searchAtOnce(capped, 60)).toEqual({ 200: CAP, 402: 60 - CAP });
    await untilUsage(capped, { requests: CAP, credits: CAP, balance: 100 - CAP });
    expect(await searchAtOnce(free, 5)).toEqual({ 200: 5 });
    expect(await searchAtOnce(capped, 1)).toEqual({ 402: 1 });
    // What the cap refuses is no lack of credit.
    const { headers } = await search(capped);
    expect(headers['x-credit-balance']).toBe(String(100 - CAP - 5));
  });

  it('never exceeds the cap even if all searches passed the precheck', async () => {
    const { capped } = await addCapped('race@example.org');
    release = holdWriters(service.database);
    const searching = searchAtOnce(capped, 60);
    for (let i = 0; i < 5; i++) expect((await readUsage(capped)).credits).toBe(0);
    release();
    expect(await searching).toEqual({ 200: CAP, 402: 60 - CAP });
    await untilUsage(capped, { requests: CAP, credits: CAP, balance: 100 - CAP });
  });
});

describe('a disabled customer', () => {
  it('gets 401 for all keys from the next request, until it is enabled', async () => {
    const { free, capped } = await addCapped('out@example.org');
    const statuses = async (): Promise<number[]> => [
      ...[(await search(free)).status, (await getUsage(capped)).status],
    ];
    expect(await statuses()).toEqual([200, 200]);
    const change = (name: string) =>
      runVerbatim(['customer', name, 'out@example.org', '--db', service.database]);
    await change('disable');
    expect(await statuses()).toEqual([401, 401]);
    expectError(await search(free), {
      status: 401,
      message: 'invalid or revoked api key',
      authenticated: false,
    });
    await change('enable');
    expect(await statuses()).toEqual([200, 200]);
  });
});
