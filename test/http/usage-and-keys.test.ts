/** Usage and keys in a running server, and changes of keys. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { inStore } from '../support/history.ts';
import { type CreatedKey, createKey } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { runJson, runVerbatim } from '../support/verbatim.ts';
import {
  addAccount,
  type Caller,
  expectAudited,
  expectError,
  expectRateHeaders,
  getUsage,
  readUsage,
  search,
  send,
  takeRequestId,
  untilUsage,
} from './contract.ts';

const CREDITS = 1000;
const invalidKey = {
  status: 401,
  message: 'invalid or revoked api key',
  authenticated: false,
};

let customers = 0;

const service = useService();

interface Customer extends Caller {
  email: string;
  prefix: string;
}

/** A customer of the test's own, made while the server runs. */
function newAccount(): Customer {
  const email = `customer-${++customers}@example.org`;
  return { email, ...addAccount(service, { email, credits: CREDITS }) };
}

async function expectServed(caller: Caller, balance: number): Promise<string> {
  const got = await search(caller);
  expect(got.status, got.text).toBe(200);
  expect(got.headers['x-credit-balance']).toBe(String(balance));
  return takeRequestId(got);
}

function currentPeriod(): string {
  return new Date().toISOString().slice(0, 7);
}

describe('a usage record', () => {
  it('has the documented fields and no others', async () => {
    const periodBefore = currentPeriod();
    const got = await getUsage(newAccount());
    expect(got.status).toBe(200);
    expect(got.headers['content-type']).toMatch(/^application\/json(;|$)/);
    takeRequestId(got);
    expectRateHeaders(got, true);
    for (const name of ['x-credit-balance', 'x-token-budget', 'retry-after']) {
      expect(got.headers).not.toHaveProperty(name);
    }
    const { period, ...counters } = JSON.parse(got.text);
    // The month in UTC, which may have changed meanwhile.
    expect([periodBefore, currentPeriod()]).toContain(period);
    expect(counters).toEqual({ requests: 0, credits: 0, balance: CREDITS });
  });

  it('is free and counts nothing', async () => {
    const account = newAccount();
    for (let i = 0; i < 5; i++) await getUsage(account);
    expect(await readUsage(account)).toMatchObject({ requests: 0, credits: 0, balance: CREDITS });
  });

  it('counts served searches only', async () => {
    const account = newAccount();
    await expectServed(account, CREDITS - 1);
    expect((await search(account, { query: '' })).status).toBe(400);
    expect((await search(account, '{')).status).toBe(400);
    await expectServed(account, CREDITS - 2);
    await untilUsage(account, { requests: 2, credits: 2, balance: CREDITS - 2 });
  });

  it('counts a search that was just answered', async () => {
    const account = newAccount();
    for (let served = 1; served <= 3; served++) {
      await expectServed(account, CREDITS - served);
      const expected = { requests: served, credits: served, balance: CREDITS - served };
      expect(await readUsage(account)).toMatchObject(expected);
    }
  });

  it('is net of refunds', async () => {
    const account = newAccount();
    const requestId = await expectServed(account, CREDITS - 1);
    await untilUsage(account, { requests: 1, credits: 1, balance: CREDITS - 1 });
    await runVerbatim(['credit', 'refund', requestId, '--db', service.database]);
    expect(await readUsage(account)).toMatchObject({ requests: 1, credits: 0, balance: CREDITS });
  });

  it('supports HEAD', async () => {
    const { secret } = newAccount();
    const got = await send(service.url, {
      method: 'HEAD',
      path: '/v1/usage',
      headers: { authorization: `Bearer ${secret}` },
    });
    expect(got).toMatchObject({ status: 200, text: '' });
    expect(Number(got.headers['content-length'])).toBeGreaterThan(0);
  });
});

describe('keys of one customer', () => {
  it('share the balance and count their own searches', async () => {
    const first = newAccount();
    const created = await createKey(service.database, { email: first.email });
    const second: Caller = { url: service.url, secret: created.secret };
    const stranger = newAccount();
    await expectServed(first, CREDITS - 1);
    await expectServed(second, CREDITS - 2);
    await expectServed(second, CREDITS - 3);
    await expectServed(stranger, CREDITS - 1);
    await untilUsage(first, { requests: 1, credits: 1, balance: CREDITS - 3 });
    await untilUsage(second, { requests: 2, credits: 2, balance: CREDITS - 3 });
    await untilUsage(stranger, { requests: 1, credits: 1, balance: CREDITS - 1 });
  });

  it('share a top-up immediately', async () => {
    const account = newAccount();
    await runVerbatim(['credit', 'add', account.email, '7', '--db', service.database]);
    await expectServed(account, CREDITS + 6);
  });
});

describe('the secret of a key', () => {
  it('is sk_live_ and a random part', async () => {
    const secrets = [newAccount().secret, newAccount().secret];
    for (const secret of secrets) expect(secret).toMatch(/^sk_live_[0-9A-Za-z]{32,}$/);
    expect(new Set(secrets).size).toBe(2);
  });

  it('is not in the service.database; the prefix of its hash names the key', async () => {
    const { secret, prefix } = newAccount();
    const files = await Promise.all(
      [service.database, `${service.database}-wal`].map((path) => readFile(path, 'latin1')),
    );
    const secretPart = secret.slice('sk_live_'.length);
    for (const text of files) expect(text.includes(secretPart)).toBe(false);
    const hash = createHash('sha256').update(secret).digest('hex');
    expect(hash.startsWith(prefix)).toBe(true);
  });

  it('is never listed', async () => {
    const { secret, email } = newAccount();
    const { stdout } = await runVerbatim([
      'key',
      'list',
      '--customer',
      email,
      '--db',
      service.database,
    ]);
    expect(stdout).not.toContain(secret.slice('sk_live_'.length));
  });
});

describe('a revoked key', () => {
  it('fails on the next request, even on an open connection', async () => {
    const account = newAccount();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect((await getUsage(account, agent)).status).toBe(200);
    await runVerbatim(['key', 'revoke', account.prefix, '--db', service.database]);
    expectError(await getUsage(account, agent), invalidKey);
    expectError(await search(account), invalidKey);
    agent.destroy();
  });

  it('does not affect other keys of its customer', async () => {
    const account = newAccount();
    const other = await createKey(service.database, { email: account.email });
    await runVerbatim(['key', 'revoke', account.prefix, '--db', service.database]);
    expectError(await search(account), invalidKey);
    await expectServed({ url: service.url, secret: other.secret }, CREDITS - 1);
  });
});

describe('a rotated key', () => {
  const rotate = (prefix: string, options: string[] = []): Promise<CreatedKey> =>
    runJson(['key', 'rotate', prefix, ...options, '--db', service.database]);

  it('fails at once without a grace period, and the new key has the same balance', async () => {
    const account = newAccount();
    const { secret } = await rotate(account.prefix);
    expectError(await search(account), invalidKey);
    await expectServed({ url: service.url, secret }, CREDITS - 1);
  });

  it('works during its grace period', async () => {
    const account = newAccount();
    const { secret } = await rotate(account.prefix, ['--grace', '1h']);
    expect((await getUsage(account)).status).toBe(200);
    await expectServed({ url: service.url, secret }, CREDITS - 1);
  });

  it('fails right after its grace period', async () => {
    const account = newAccount();
    await rotate(account.prefix, ['--grace', '1h']);
    const graceEnds = Date.now() + 1_000;
    inStore(service.database, (db) =>
      db
        .prepare('UPDATE api_keys SET revoked_at = ? WHERE prefix = ?')
        .run(graceEnds, account.prefix),
    );
    // However late a request comes: what was sent after the end is refused, the first too.
    let sentAt = Date.now();
    let got = await getUsage(account);
    while (got.status === 200) {
      expect(sentAt).toBeLessThan(graceEnds);
      // Below the rate of the key.
      await wait(50);
      sentAt = Date.now();
      got = await getUsage(account);
    }
    expectError(got, invalidKey);
    expect(Date.now()).toBeGreaterThanOrEqual(graceEnds);
  });
});

describe('afterwards', () => {
  it('the ledger adds up', async () => {
    await expectAudited(service.database);
  });
});
