/** What customers see and do with keys and credit is theirs alone. */
import { beforeEach, describe, expect, it } from 'vitest';
import {
  ledgerPage,
  readBalanceView,
  readOverview,
  setLowBalance,
} from '../../src/accounts/credit.ts';
import {
  createKey,
  listCustomerKeys,
  NAME_CHARACTERS_MAX,
  revokeKey,
  setKeyCap,
} from '../../src/accounts/customer-keys.ts';
import { createKeyReader } from '../../src/accounts/sql/api-keys.ts';
import { auditLedger } from '../../src/accounts/sql/audit.ts';
import { findCustomer } from '../../src/accounts/sql/customers.ts';
import { createLedger, refundSearch, topUp } from '../../src/accounts/sql/ledger.ts';
import type { OwnKey } from '../../src/accounts/sql/own-keys.ts';
import { createChangeWatch } from '../../src/database/sqlite/change-watch.ts';
import { addLinkedCustomer, createWorld, type World } from '../support/account-world.ts';
import { NOW } from '../support/accounts.ts';

const DAY = 86_400_000;

let world: World;
let ada: number;
let bob: number;
let searches = 0;

beforeEach(() => {
  world = createWorld({ keysPerCustomerMax: 3, keysEverPerCustomerMax: 5 });
  ada = addLinkedCustomer(world).customerId;
  bob = addLinkedCustomer(world, 'bob@example.org').customerId;
});

const create = (customerId: number, name = 'laptop', cap: number | null = null) =>
  createKey(world.deps, { customerId, name, creditsPerMonthMax: cap });
const error = (code: string) => expect.objectContaining({ code });
const isTaken = (secret: string): boolean =>
  createKeyReader(world.db, { watch: createChangeWatch(world.db), keptMax: 10 }).authenticate(
    secret,
    world.clock.now,
  ) !== undefined;

/** A search at the clock's time, held or further; returns its request id. */
function search(key: { id: number; customerId: number }, end?: 'settle' | 'release'): string {
  const requestId = `request-${++searches}`;
  const ledger = createLedger(world.db);
  const { now } = world.clock;
  ledger.hold({ requestId, customerId: key.customerId, keyId: key.id, credits: 1, now });
  if (end !== undefined) ledger[end](requestId, now);
  return requestId;
}

describe('a key of a customer', () => {
  it('is created with a name and a cap, and its secret is returned once', async () => {
    const { key, secret } = await create(ada, '  my cluster ', 500);
    expect(isTaken(secret)).toBe(true);
    expect(await listCustomerKeys(world.deps, ada)).toEqual([
      {
        ...key,
        freeThisMonth: 0,
        name: 'my cluster',
        creditsPerMonthMax: 500,
        requestsPerMinute: null,
        lastUsedAt: null,
        thisMonth: { requests: 0, credits: 0 },
        toDate: { requests: 0, credits: 0 },
      },
    ]);
    expect(JSON.stringify(await listCustomerKeys(world.deps, ada))).not.toContain(secret);
  });

  const misleading = ['a\nb', 'a\u0000b', 'a\u202Eb', 'a\u2066b', 'a\u2028b'];
  it.each(['', '   ', ...misleading, 'x'.repeat(NAME_CHARACTERS_MAX + 1)])(
    'is not made with the name %j',
    async (name) => {
      await expect(create(ada, name)).rejects.toThrow(error('bad_request'));
      expect(await listCustomerKeys(world.deps, ada)).toEqual([]);
    },
  );

  it('is made with the longest name', async () => {
    const name = 'x'.repeat(NAME_CHARACTERS_MAX);
    await create(ada, name);
    expect(await listCustomerKeys(world.deps, ada)).toMatchObject([{ name }]);
  });

  it.each([0, -1, 1.5, Number.NaN, 1e15])('cannot be created with a cap of %d', async (cap) => {
    await expect(create(ada, 'laptop', cap)).rejects.toThrow(error('bad_request'));
  });

  it('cannot be created beyond the maximum of valid keys', async () => {
    for (let i = 0; i < 3; i++) await create(ada);
    await expect(create(ada)).rejects.toThrow('you have 3 valid keys, which is the maximum');
    await create(bob);
    const [first] = (await listCustomerKeys(world.deps, ada)) as [OwnKey];
    await revokeKey(world.deps, { customerId: ada, prefix: first.prefix });
    await create(ada);
  });

  it('cannot be created beyond the maximum of keys, revoked ones included', async () => {
    for (let i = 0; i < 5; i++) {
      const { key } = await create(ada);
      await revokeKey(world.deps, { customerId: ada, prefix: key.prefix });
    }
    await expect(create(ada)).rejects.toThrow('you have created 5 keys, which is the maximum');
    await create(bob);
  });

  it('is listed with its last use and its usage of the month and to date', async () => {
    const { key } = await create(ada);
    topUp(world.db, { customerId: ada, credits: 10, now: NOW });
    search(key, 'settle');
    const refunded = search(key, 'settle');
    world.clock.now += 40 * DAY;
    search(key, 'settle');
    world.clock.now += 5;
    search(key, 'release');
    refundSearch(world.db, { requestId: refunded, now: world.clock.now + 9 });
    expect(await listCustomerKeys(world.deps, ada)).toMatchObject([
      {
        lastUsedAt: NOW + 40 * DAY + 5,
        thisMonth: { requests: 1, credits: 1 },
        toDate: { requests: 3, credits: 2 },
      },
    ]);
  });

  it('is rejected immediately after it is revoked', async () => {
    const { key, secret } = await create(ada);
    await revokeKey(world.deps, { customerId: ada, prefix: key.prefix });
    expect(isTaken(secret)).toBe(false);
    expect(await listCustomerKeys(world.deps, ada)).toMatchObject([{ revokedAt: NOW }]);
  });

  it('gets a cap, a different cap, and none', async () => {
    const { key } = await create(ada);
    for (const cap of [5, 1, null]) {
      await setKeyCap(world.deps, {
        customerId: ada,
        prefix: key.prefix,
        creditsPerMonthMax: cap,
      });
      expect((await listCustomerKeys(world.deps, ada))[0]?.creditsPerMonthMax).toBe(cap);
    }
  });
});

describe("another customer's key", () => {
  it('is not listed, revoked or capped, and looks like a missing one', async () => {
    const { key, secret } = await create(ada, 'laptop', 7);
    expect(await listCustomerKeys(world.deps, bob)).toEqual([]);
    const names = [key.prefix, key.prefix.slice(0, 9), '0000000000', '', '%', String(key.id)];
    const messages: string[] = [];
    for (const prefix of names) {
      const own = { customerId: bob, prefix };
      for (const attempt of [
        revokeKey(world.deps, own),
        setKeyCap(world.deps, { ...own, creditsPerMonthMax: 1 }),
        setKeyCap(world.deps, { ...own, creditsPerMonthMax: null }),
      ]) {
        const refusal = await attempt.catch((reason: Error) => reason);
        expect(refusal).toMatchObject({ code: 'not_found', status: 404 });
        messages.push((refusal as Error).message);
      }
    }
    expect(new Set(messages)).toEqual(new Set(['not found']));
    expect(isTaken(secret)).toBe(true);
    expect(await listCustomerKeys(world.deps, ada)).toMatchObject([
      { creditsPerMonthMax: 7, revokedAt: null },
    ]);
  });

  it('reveals nothing of its ledger through any filter', async () => {
    const { key } = await create(ada);
    topUp(world.db, { customerId: ada, credits: 3, now: NOW });
    search(key, 'settle');
    const asked = [{}, { keyPrefix: key.prefix }, { before: 1_000 }, { kinds: ['topup' as const] }];
    for (const filter of asked) {
      const request = { ...filter, customerId: bob };
      expect(await ledgerPage(world.deps, request)).toEqual({ entries: [], next: undefined });
    }
    const { days } = await readOverview(world.deps, { customerId: bob, days: 30 });
    expect(days.at(-1)?.requests).toBe(0);
  });
});

describe('a cap of 3 credits a month', () => {
  const HOUR = 3_600_000;
  const take = (key: { id: number; customerId: number }, end?: 'settle' | 'release') => {
    try {
      search(key, end);
      return 'held';
    } catch (refusal) {
      return (refusal as { code: string }).code;
    }
  };

  it('counts charged and open credits, not released ones', async () => {
    const { key } = await create(ada, 'laptop', 3);
    topUp(world.db, { customerId: ada, credits: 100, now: NOW });
    const steps: ('settle' | 'release' | undefined)[] = ['settle', 'release', undefined, 'release'];
    expect(steps.map((end) => take(key, end))).toEqual(Array(4).fill('held'));
    expect(take(key)).toBe('held');
    expect(take(key)).toBe('key_cap_reached');
    expect(auditLedger(world.db).differences).toEqual([]);
  });

  it('has room again after a refund, with a higher cap, and in the next month', async () => {
    const { key } = await create(ada, 'laptop', 3);
    topUp(world.db, { customerId: ada, credits: 100, now: NOW });
    for (let i = 0; i < 2; i++) take(key, 'settle');
    const last = search(key, 'settle');
    expect(take(key)).toBe('key_cap_reached');
    refundSearch(world.db, { requestId: last, now: NOW });
    expect([take(key, 'settle'), take(key, 'settle')]).toEqual(['held', 'key_cap_reached']);
    await setKeyCap(world.deps, { customerId: ada, prefix: key.prefix, creditsPerMonthMax: 4 });
    expect([take(key, 'settle'), take(key, 'settle')]).toEqual(['held', 'key_cap_reached']);
    world.clock.now = Date.UTC(2026, 2, 31, 23, 59, 59);
    expect(take(key)).toBe('key_cap_reached');
    world.clock.now += 1000;
    expect(take(key)).toBe('held');
  });

  it('is not exceeded in any month by holds open at its end', async () => {
    const { key } = await create(ada, 'laptop', 3);
    topUp(world.db, { customerId: ada, credits: 100, now: NOW });
    world.clock.now = Date.UTC(2026, 2, 31, 23, 59, 59);
    const open = [search(key), search(key)];
    world.clock.now += 2 * HOUR;
    expect([take(key, 'settle'), take(key, 'settle')]).toEqual(['held', 'key_cap_reached']);
    for (const requestId of open) createLedger(world.db).settle(requestId, world.clock.now);
    expect(await listCustomerKeys(world.deps, ada)).toMatchObject([{ thisMonth: { credits: 3 } }]);
  });

  it('applies to its key only', async () => {
    const { key } = await create(ada, 'laptop', 1);
    const { key: free } = await create(ada);
    topUp(world.db, { customerId: ada, credits: 100, now: NOW });
    expect([take(key), take(key), take(free), take(free)]).toEqual([
      ...['held', 'key_cap_reached', 'held', 'held'],
    ]);
  });
});

describe('a balance', () => {
  const view = () => {
    const customer = findCustomer(world.db, 'ada@example.org');
    return readBalanceView(world.deps, { customer });
  };

  it.each([
    [null, false],
    [5, false],
    [6, true],
    [1_000_000, true],
  ])('of 5 with a warning below %s', async (credits, isLow) => {
    topUp(world.db, { customerId: ada, credits: 5, now: NOW });
    await setLowBalance(world.deps, { customerId: ada, credits });
    expect(await view()).toEqual({ balance: 5, lowBalance: credits, isLow });
    expect(findCustomer(world.db, 'bob@example.org').lowBalance).toBeNull();
  });

  it.each([0, -5, 0.5, Number.POSITIVE_INFINITY])('rejects a warning below %d', async (credits) => {
    await expect(setLowBalance(world.deps, { customerId: ada, credits })).rejects.toThrow(
      error('bad_request'),
    );
  });
});

describe('searches by day', () => {
  it('contains every day up to today, for all keys, net of refunds', async () => {
    const { key } = await create(ada);
    const { key: second } = await create(ada);
    topUp(world.db, { customerId: ada, credits: 50, now: NOW });
    const counts: [daysAgo: number, searches: number][] = [
      ...([
        [90, 1],
        [89, 2],
        [30, 1],
        [29, 3],
        [1, 1],
      ] as [number, number][]),
    ];
    for (const [daysAgo, times] of counts) {
      world.clock.now = NOW - daysAgo * DAY;
      for (let i = 0; i < times; i++) search(i % 2 ? key : second, 'settle');
    }
    world.clock.now = NOW;
    const refunded = search(key, 'settle');
    search(key, 'release');
    refundSearch(world.db, { requestId: refunded, now: NOW });
    const { days } = await readOverview(world.deps, { customerId: ada, days: 90 });
    expect(days).toHaveLength(90);
    expect(days.filter(({ requests }) => requests > 0)).toEqual([
      { day: '2025-12-15', requests: 2, credits: 2 },
      { day: '2026-02-12', requests: 1, credits: 1 },
      { day: '2026-02-13', requests: 3, credits: 3 },
      { day: '2026-03-13', requests: 1, credits: 1 },
      { day: '2026-03-14', requests: 1, credits: 0 },
    ]);
    const last = await readOverview(world.deps, { customerId: ada, days: 30 });
    expect(last.days).toEqual(days.slice(60));
    expect(auditLedger(world.db).differences).toEqual([]);
  });
});
