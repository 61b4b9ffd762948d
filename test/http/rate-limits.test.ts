/** Rates per key: 429 and its headers. */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createKey } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import {
  addAccount,
  type Caller,
  expectError,
  type Got,
  getUsage,
  ledger,
  search,
  send,
} from './contract.ts';

const CREDITS = 10;
const DEFAULT_RATE = 3;
/** One request a second. */
const OWN_RATE = 60;

let customers = 0;

const service = useService({
  env: { VERBATIM_REQUESTS_PER_MINUTE: String(DEFAULT_RATE) },
});

/** A fresh customer with one key, which has its own rate or the server's. */
function newCaller(requestsPerMinute?: number): Caller & { email: string } {
  const email = `customer-${++customers}@example.org`;
  const rate = requestsPerMinute === undefined ? {} : { requestsPerMinute };
  return { email, ...addAccount(service, { email, credits: CREDITS, ...rate }) };
}

function expectRateLimited(got: Got, rate: number): void {
  expectError(got, {
    status: 429,
    message: 'rate limit exceeded',
    code: 'rate_limited',
    headers: { 'retry-after': /^[1-9]\d*$/ },
  });
  expect(got.headers['ratelimit-limit']).toBe(String(rate));
  expect(got.headers['ratelimit-remaining']).toBe('0');
  expect(got.headers['ratelimit-reset']).toBe(got.headers['retry-after']);
}

/** Asks until the rate is exhausted; returns the refusal. */
async function exhaust(caller: Caller, rate: number): Promise<Got> {
  // The bucket fills while it is emptied, but not as fast.
  for (let i = 0; i < 2 * rate; i++) {
    const got = await getUsage(caller);
    if (got.status !== 200) return got;
  }
  return expect.fail(`${2 * rate} requests within a minute, though the rate is ${rate}`);
}

describe('a key without a rate of its own', () => {
  it("has the server's rate in every response, and gets 429 above it", async () => {
    const caller = newCaller();
    for (const remaining of ['2', '1', '0']) {
      const { status, headers } = await getUsage(caller);
      expect(status).toBe(200);
      expect(headers['ratelimit-limit']).toBe(String(DEFAULT_RATE));
      expect(headers['ratelimit-remaining']).toBe(remaining);
      expect(Number(headers['ratelimit-reset'])).toBeGreaterThan(0);
      expect(Number(headers['ratelimit-reset'])).toBeLessThanOrEqual(60 / DEFAULT_RATE);
    }
    const refused = await getUsage(caller);
    expectRateLimited(refused, DEFAULT_RATE);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60 / DEFAULT_RATE);
  });

  it('counts all endpoints, whatever the responses', async () => {
    const caller = newCaller();
    expect((await search(caller)).status).toBe(200);
    expect((await search(caller, { query: '' })).status).toBe(400);
    expect((await search(caller, '{}', { headers: { 'content-type': 'x/y' } })).status).toBe(415);
    expectRateLimited(await search(caller), DEFAULT_RATE);
    expectRateLimited(await getUsage(caller), DEFAULT_RATE);
  });
});

describe('a key with a rate of its own', () => {
  it('is served again after exactly the reported wait', async () => {
    const caller = newCaller(OWN_RATE);
    for (let i = 0; i < 3; i++) {
      const refused = await exhaust(caller, OWN_RATE);
      expectRateLimited(refused, OWN_RATE);
      expect(refused.headers['retry-after']).toBe('1');
      await wait(1000);
      expect((await search(caller)).status).toBe(200);
    }
  });
});

describe('the rate of one key', () => {
  it('does not affect other keys of the customer, or /health', async () => {
    const exhausted = newCaller();
    const { secret } = await createKey(service.database, { email: exhausted.email });
    const other: Caller = { url: service.url, secret };
    await exhaust(exhausted, DEFAULT_RATE);
    expect((await getUsage(other)).headers['ratelimit-remaining']).toBe('2');
    for (let i = 0; i < 10; i++) {
      expect((await send(service.url, { path: '/health' })).status).toBe(200);
    }
    expectRateLimited(await getUsage(exhausted), DEFAULT_RATE);
  });
});

describe('a search above the rate', () => {
  it('charges nothing', async () => {
    const caller = newCaller();
    await exhaust(caller, DEFAULT_RATE);
    for (let i = 0; i < 5; i++) expectRateLimited(await search(caller), DEFAULT_RATE);
    const entries = ledger(service.database, caller.email);
    expect(entries.map(({ kind, balance }) => ({ kind, balance }))).toEqual([
      { kind: 'topup', balance: CREDITS },
    ]);
  });
});
