/** What customers may name, cap, and be warned of. What the store decides is in conformance/. */
import { beforeEach, describe, expect, it } from 'vitest';
import { readBalanceView, readOverview, setLowBalance } from '../../src/accounts/credit.ts';
import {
  createKey,
  editKey,
  listCustomerKeys,
  NAME_CHARACTERS_MAX,
  revokeKey,
} from '../../src/accounts/customer-keys.ts';
import { topUp } from '../../src/accounts/sql/credit-entries.ts';
import { findCustomer } from '../../src/accounts/sql/customers.ts';
import type { OwnKey } from '../../src/accounts/sql/own-keys.ts';
import { createKeyReader } from '../../src/accounts/sqlite/ledger/key-reader.ts';
import { createChangeWatch } from '../../src/database/sqlite/change-watch.ts';
import { changeOnSqlite, runOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { addLinkedCustomer, createWorld, type World } from '../support/account-world.ts';
import { NOW } from '../support/accounts.ts';

let world: World;
let ada: number;
let bob: number;

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

describe('a key of a customer', () => {
  it('is created with a name and a cap, and its secret is returned once', async () => {
    const { key, secret } = await create(ada, '  my cluster ', 500);
    expect(isTaken(secret)).toBe(true);
    expect(await listCustomerKeys(world.deps, ada)).toEqual([
      {
        ...key,
        failedThisMonth: 0,
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

  it.each([5, 1, null])('gets a cap of %s', async (creditsPerMonthMax) => {
    const { key } = await create(ada, 'laptop', 7);
    const { prefix, name } = key;
    const edit = { name, expiresAt: null, creditsPerMonthMax, lanes: null };
    await editKey(world.deps, { customerId: ada, prefix, ...edit });
    expect(await listCustomerKeys(world.deps, ada)).toMatchObject([{ creditsPerMonthMax }]);
  });
});

describe('a balance', () => {
  const view = () => {
    const customer = runOnSqlite(world.db, findCustomer('ada@example.org'));
    return readBalanceView(world.deps, { customer });
  };

  it.each([
    [null, false],
    [5, false],
    [6, true],
    [1_000_000, true],
  ])('of 5 with a warning below %s', async (credits, isLow) => {
    changeOnSqlite(world.db, topUp({ customerId: ada, credits: 5, now: NOW }));
    await setLowBalance(world.deps, { customerId: ada, credits });
    expect(await view()).toEqual({ balance: 5, lowBalance: credits, isLow });
    expect(runOnSqlite(world.db, findCustomer('bob@example.org')).lowBalance).toBeNull();
  });

  it.each([0, -5, 0.5, Number.POSITIVE_INFINITY])('rejects a warning below %d', async (credits) => {
    await expect(setLowBalance(world.deps, { customerId: ada, credits })).rejects.toThrow(
      error('bad_request'),
    );
  });
});

it('an overview ends today', async () => {
  const { days } = await readOverview(world.deps, { customerId: ada, days: 30 });
  expect([days.length, days.at(-1)?.day]).toEqual([30, '2026-03-14']);
});
