/** Pages, counts, and files of requests against the whole of them, filtered the simple way. */
import { beforeAll, describe, expect, it } from 'vitest';
import { requestTable, usageTable } from '../../src/accounts/account-tables.ts';
import { createKey } from '../../src/accounts/customer-keys.ts';
import { readRequests } from '../../src/accounts/requests.ts';
import type { ApiKey } from '../../src/accounts/sql/api-keys.ts';
import * as customerReports from '../../src/accounts/sql/customer-reports.ts';
import type { RequestFilter } from '../../src/accounts/sql/request-pages.ts';
import type { NewRequest } from '../../src/accounts/sql/request-rows.ts';
import { usageByStatus } from '../../src/accounts/usage.ts';
import { addLinkedCustomer, createWorld } from '../support/account-world.ts';
import { NOW } from '../support/accounts.ts';
import { planOf } from '../support/plans.ts';
import { createRandom } from '../support/random.ts';
import { countsOf, recorded } from '../support/recorded.ts';

const HOUR = 3_600_000;
const PAGE = 7;
const world = createWorld({ listPageRowsMax: PAGE, csvEntriesPerRead: 5 });
const { db, deps } = world;
const paths = ['/v1/search', '/v1/search', '/v1/search', '/v1/paper', '/mcp'];
const ends: [status: number, code: string | null][] = [
  ...[0, 1, 2].map((): [number, null] => [200, null]),
  ...([
    [402, 'insufficient_credit'],
    [429, 'rate_limited'],
    [503, 'degraded'],
  ] as [number, string][]),
];
let ada = 0;
let keys: { id: number; prefix: string; name: string }[] = [];
/** Those of Ada, newest first. */
let every: NewRequest[] = [];

/** Six weeks of two customers with every path and every end. */
beforeAll(async () => {
  const random = createRandom(11);
  const accounts: ApiKey[] = [];
  for (const email of ['ada@example.org', 'bob@example.org']) {
    const { customerId } = addLinkedCustomer(world, email);
    for (const name of ['laptop', '=cmd|calc']) {
      const { key } = await createKey(deps, { customerId, name, creditsPerMonthMax: null });
      accounts.push(key);
    }
  }
  ada = accounts[0]?.customerId ?? 0;
  keys = accounts;
  const requests = Array.from({ length: 300 }, (_, index) => {
    const { customerId, id: keyId } = accounts[random.below(4)] as ApiKey;
    const [status, code] = ends[random.below(ends.length)] ?? [200, null];
    const path = paths[random.below(paths.length)] ?? '';
    // Of several servers, whose clocks differ.
    const createdAt = NOW + index * 3 * HOUR + random.below(120_000) - 60_000;
    return recorded({ customerId, keyId, path, status, code, createdAt });
  });
  await deps.store.recordRequests({ requests, counts: countsOf(requests) });
  every = requests.filter(({ customerId }) => customerId === ada).toReversed();
});

const isMatch =
  ({ status, path, keyId, from = 0, until = Infinity }: RequestFilter) =>
  (one: NewRequest): boolean =>
    (status === undefined || (status === 'failed' ? one.code !== null : one.status === status)) &&
    (path === undefined || one.path === path) &&
    (keyId === undefined || one.keyId === keyId) &&
    one.createdAt >= from &&
    one.createdAt < until;

/** Turns all pages of a filter. Returns the ids of the requests. */
async function everyPage(filter: RequestFilter): Promise<string[]> {
  const all: string[] = [];
  for (let before: number | undefined; ; ) {
    const start = before === undefined ? {} : { before };
    const { page } = await readRequests(deps, { ...filter, ...start, customerId: ada });
    all.push(...page.rows.map(({ requestId }) => requestId));
    if (page.next === undefined) return all;
    expect(page.rows).toHaveLength(PAGE);
    before = page.next;
  }
}

const month = { from: Date.UTC(2026, 3, 1), until: Date.UTC(2026, 4, 1) };
const filters: [what: string, filter: () => RequestFilter, some: boolean][] = [
  ['everything', () => ({}), true],
  ['searches', () => ({ path: '/v1/search' }), true],
  ['look-ups', () => ({ path: '/v1/paper' }), true],
  ['a path that nobody used', () => ({ path: '/v1/verify' }), false],
  ['what was answered', () => ({ status: 200 }), true],
  ['what failed', () => ({ status: 'failed' }), true],
  ['one status', () => ({ status: 429 }), true],
  ['a status that nothing had', () => ({ status: 500 }), false],
  ['look-ups with one status', () => ({ status: 402, path: '/v1/paper' }), true],
  ['a key', () => ({ keyId: keys[0]?.id ?? 0 }), true],
  ["another customer's key", () => ({ keyId: keys[2]?.id ?? 0 }), false],
  ["a key's failures", () => ({ keyId: keys[1]?.id ?? 0, status: 'failed' }), true],
  [
    "a key's searches in a month",
    () => ({ keyId: keys[0]?.id ?? 0, path: '/v1/search', ...month }),
    true,
  ],
  ['a month', () => month, true],
  ['a day', () => ({ from: Date.UTC(2026, 3, 2), until: Date.UTC(2026, 3, 3) }), true],
  ['the time to come', () => ({ from: Date.UTC(2030, 0, 1) }), false],
];

describe('requests', () => {
  it.each(filters)('have pages and counts of %s', async (_what, filter, some) => {
    const expected = every.filter(isMatch(filter()));
    expect(expected.length > 0).toBe(some);
    expect(await everyPage(filter())).toEqual(expected.map(({ requestId }) => requestId));
    const { totals } = await readRequests(deps, { ...filter(), customerId: ada });
    for (const { path, status, code, calls } of totals) {
      const own = expected.filter((one) => one.path === path && one.status === status);
      expect([calls, code]).toEqual([own.length, own[0]?.code ?? '']);
    }
    expect(totals.reduce((sum, { calls }) => sum + calls, 0)).toBe(expected.length);
  });

  it('can be found by their ids, by their customer only', async () => {
    const [first] = every as [NewRequest];
    const { requestId } = first;
    expect(await deps.store.findRequest({ customerId: ada, requestId })).toMatchObject({
      requestId,
      status: first.status,
      entries: [],
    });
    expect(await deps.store.findRequest({ customerId: ada + 1, requestId })).toBeUndefined();
  });

  it('are compared with the days before, by status', async () => {
    const range = { customerId: ada, firstDay: '2026-04-01', lastDay: '2026-04-05' };
    const from = Date.UTC(2026, 3, 1);
    const countOf = (start: number, status: number): number =>
      every.filter(
        (one) =>
          one.status === status && one.createdAt >= start && one.createdAt < start + 120 * HOUR,
      ).length;
    const statuses = await usageByStatus(deps, range);
    expect(statuses.length).toBeGreaterThan(2);
    for (const { status, calls, callsBefore } of statuses) {
      expect([calls, callsBefore]).toEqual([
        ...[countOf(from, status), countOf(from - 120 * HOUR, status)],
      ]);
    }
  });
});

describe('what a page costs', () => {
  const plans: [filter: RequestFilter, index: string][] = [
    [{}, 'requests_by_customer'],
    [{ path: '/v1/search', status: 200 }, 'requests_by_customer'],
    [{ keyId: 1 }, 'requests_by_key'],
    [{ path: '/mcp', keyId: 1 }, 'requests_by_path'],
    [{ status: 'failed' }, 'requests_failed'],
    [{ status: 402, path: '/mcp', keyId: 1 }, 'requests_failed'],
  ];
  it.each(plans)('%j reads one index in order, and the counts a table of days', (filter, index) => {
    const request = { ...filter, customerId: ada, requestsMax: PAGE };
    const plan = planOf(db, customerReports.readRequests(request));
    expect(plan.filter((step) => step.includes(`USING INDEX ${index} `))).toHaveLength(1);
    expect(plan.filter((step) => step.includes('USING PRIMARY KEY'))).toHaveLength(1);
    expect(plan.filter((step) => /^SCAN|TEMP B-TREE FOR ORDER/.test(step))).toEqual([]);
  });
});

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

describe('files', () => {
  it('have the requests of a filter as CSV, without formulas', async () => {
    const filter = { customerId: ada, status: 429 };
    const text = await textOf(requestTable(deps, filter).write('csv'));
    const [heading, ...rows] = text.trimEnd().split('\r\n');
    expect(heading).toBe(
      '\uFEFFTime (UTC),Status,Error,Path,Key,Hash prefix of the key,Milliseconds,Credits,Lanes,Request id',
    );
    const expected = every.filter(isMatch(filter));
    expect(rows).toHaveLength(expected.length);
    expect(rows[0]).toContain(`429,rate_limited,${expected[0]?.path},`);
    expect(rows[0]?.endsWith(`,12,0,,${expected[0]?.requestId}`)).toBe(true);
    expect(text).toContain(",'=cmd|calc,");
  });

  it('have them as JSON, also if there are none', async () => {
    const all = JSON.parse(
      await textOf(requestTable(deps, { customerId: ada }).write('json')),
    ) as object[];
    expect(all).toHaveLength(every.length);
    expect(all[0]).toMatchObject({
      time: new Date(every[0]?.createdAt ?? 0).toISOString(),
      hashPrefixOfTheKey: expect.any(String),
      requestId: every[0]?.requestId,
      lanes: [],
    });
    const none = requestTable(deps, { customerId: ada, status: 500 });
    expect(JSON.parse(await textOf(none.write('json')))).toEqual([]);
  });

  it('have the counts of each day', async () => {
    const range = {
      customerId: ada,
      keyId: undefined,
      firstDay: '2026-04-01',
      lastDay: '2026-04-09',
    };
    const [, ...rows] = (await textOf(usageTable(deps, range).write('csv')))
      .trimEnd()
      .split('\r\n');
    const counted = rows.reduce((sum, row) => sum + Number(row.split(',').at(-1)), 0);
    const isInRange = isMatch({ from: Date.UTC(2026, 3, 1), until: Date.UTC(2026, 3, 10) });
    expect(counted).toBe(every.filter(isInRange).length);
  });
});
