/** Pages and totals of activity against the whole of it, worked out from the ledger's entries. */
import { beforeAll, describe, expect, it } from 'vitest';
import { activityCsv, readActivity } from '../../src/accounts/activity.ts';
import { createKey } from '../../src/accounts/customer-keys.ts';
import type {
  ActivityFilter,
  ActivityLine,
  PageStart,
} from '../../src/accounts/sql/activity-rows.ts';
import { listEntries, refundSearch, topUp } from '../../src/accounts/sql/credit-entries.ts';
import * as customerReports from '../../src/accounts/sql/customer-reports.ts';
import { auditLedger } from '../../src/accounts/sqlite/ledger/audit.ts';
import { createLedger } from '../../src/accounts/sqlite/ledger/ledger.ts';
import { changeOnSqlite, runOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { addLinkedCustomer, createWorld } from '../support/account-world.ts';
import { NOW } from '../support/accounts.ts';
import { planOf } from '../support/plans.ts';
import { createRandom } from '../support/random.ts';

const HOUR = 3_600_000;
const PAGE = 7;
const world = createWorld({ activityPageLinesMax: PAGE, csvEntriesPerRead: 5 });
const { db, deps } = world;
const calls = ['search', 'search', 'search', 'paper', 'similar', 'verify'] as const;
let ada = 0;
let keys: { id: number; prefix: string }[] = [];
let every: ActivityLine[] = [];

/** Three months of two customers with every kind of call and every outcome. */
beforeAll(async () => {
  const random = createRandom(11);
  const ledger = createLedger(db);
  const accounts = [];
  for (const email of ['ada@example.org', 'bob@example.org']) {
    const { customerId } = addLinkedCustomer(world, email);
    changeOnSqlite(
      db,
      topUp({ customerId, credits: 1_000, reference: `-first-${customerId}`, now: NOW }),
    );
    for (const name of ['laptop', '=cmd|calc']) {
      const { key } = await createKey(deps, { customerId, name, creditsPerMonthMax: null });
      accounts.push(key);
    }
  }
  ada = accounts[0]?.customerId ?? 0;
  keys = accounts;
  for (let i = 0; i < 300; i++) {
    const { customerId, id: keyId } = accounts[random.below(4)] as (typeof accounts)[0];
    const now = NOW + i * 7 * HOUR + random.below(120_000) - 60_000;
    const call = calls[random.below(calls.length)] ?? 'search';
    const requestId = `request-${i}`;
    ledger.hold({ requestId, customerId, keyId, credits: 1, call, now });
    const fate = random.below(20);
    if (fate < 3) ledger.release(requestId, now + 1_000);
    else if (fate < 19) ledger.settle(requestId, now + 1_000);
    if (fate >= 3 && fate < 6)
      changeOnSqlite(db, refundSearch({ requestId, now: now + 30 * HOUR }));
    if (i % 40 === 0) changeOnSqlite(db, topUp({ customerId, credits: 5, note: 'a gift', now }));
  }
  every = linesOfEntries();
});

/** The lines that the entries of Ada make, worked out the simple way. */
function linesOfEntries(): ActivityLine[] {
  const entries = runOnSqlite(db, listEntries({ customerId: ada, limit: 10_000 }));
  const outcomes = { settle: 'charged', release: 'free', refund: 'refunded' } as const;
  return entries
    .filter(({ kind }) => ['hold', 'topup', 'adjust'].includes(kind))
    .map((entry) => {
      const { id, createdAt, requestId, reference, note, keyId } = entry;
      const own = entries.filter((one) => requestId !== null && one.requestId === requestId);
      const last = own.toSorted((a, b) => b.id - a.id)[0]?.kind ?? 'hold';
      const call = db.prepare('SELECT call FROM ledger_entries WHERE id = ?').pluck().get(id);
      const key = keys.find((one) => one.id === keyId);
      return {
        id,
        createdAt,
        requestId,
        reference,
        note,
        kind: entry.kind === 'hold' ? (call as ActivityLine['kind']) : 'topup',
        outcome:
          entry.kind !== 'hold'
            ? 'payment'
            : last === 'hold'
              ? 'open'
              : outcomes[last as 'settle' | 'release' | 'refund'],
        credits:
          entry.kind === 'hold'
            ? own.reduce((sum, { credits }) => sum + credits, 0)
            : entry.credits,
        keyName: (key as { name?: string } | undefined)?.name ?? null,
        keyPrefix: key?.prefix ?? null,
      };
    });
}

const isMatch =
  ({ kind, outcome, keyId, from = 0, until = Infinity }: ActivityFilter) =>
  (line: ActivityLine): boolean =>
    (kind === undefined || line.kind === kind) &&
    (outcome === undefined || line.outcome === outcome) &&
    (keyId === undefined || line.keyPrefix === keys.find(({ id }) => id === keyId)?.prefix) &&
    line.createdAt >= from &&
    line.createdAt < until;

/** Turns all pages of a filter, back from the last one too. */
async function everyPage(filter: ActivityFilter): Promise<ActivityLine[]> {
  const all: ActivityLine[] = [];
  const firsts: number[] = [];
  let start: PageStart;
  for (let hasOlder = true; hasOlder; ) {
    const { page } = await readActivity(deps, { ...filter, customerId: ada, start });
    expect(page.hasNewer).toBe(start !== undefined);
    all.push(...page.lines);
    hasOlder = page.hasOlder;
    if (hasOlder) expect(page.lines).toHaveLength(PAGE);
    firsts.push(page.lines[0]?.id ?? 0);
    start = { before: page.lines.at(-1)?.id ?? 0 };
  }
  for (const [index, first] of firsts.entries()) {
    if (index === 0) continue;
    const request = { ...filter, customerId: ada, start: { after: first } };
    const { page: newer } = await readActivity(deps, request);
    expect(newer.lines.map(({ id }) => id)).toEqual(
      all.slice((index - 1) * PAGE, index * PAGE).map(({ id }) => id),
    );
    expect([newer.hasOlder, newer.hasNewer]).toEqual([true, index > 1]);
  }
  return all;
}

const month = { from: Date.UTC(2026, 3, 1), until: Date.UTC(2026, 4, 1) };
const filters: [what: string, filter: () => ActivityFilter, some: boolean][] = [
  ['everything', () => ({}), true],
  ['searches', () => ({ kind: 'search' }), true],
  ['verifications', () => ({ kind: 'verify' }), true],
  ['top-ups', () => ({ kind: 'topup' }), true],
  ['adjustments', () => ({ kind: 'adjust' }), false],
  ['what was charged', () => ({ outcome: 'charged' }), true],
  ['what was free', () => ({ outcome: 'free' }), true],
  ['what is open', () => ({ outcome: 'open' }), true],
  ['refunded look-ups', () => ({ kind: 'paper', outcome: 'refunded' }), true],
  ['a key', () => ({ keyId: keys[0]?.id ?? 0 }), true],
  ["another customer's key", () => ({ keyId: keys[2]?.id ?? 0 }), false],
  ["a key's free calls", () => ({ keyId: keys[1]?.id ?? 0, outcome: 'free' }), true],
  [
    "a key's searches in a month",
    () => ({ keyId: keys[0]?.id ?? 0, kind: 'search', ...month }),
    true,
  ],
  ['a month', () => month, true],
  ['a day', () => ({ from: Date.UTC(2026, 3, 2), until: Date.UTC(2026, 3, 3) }), true],
  ['the time to come', () => ({ from: Date.UTC(2030, 0, 1) }), false],
];

describe('activity', () => {
  it.each(filters)('has the lines and the totals of %s', async (_what, filter, some) => {
    const expected = every.filter(isMatch(filter()));
    expect(expected.length > 0).toBe(some);
    expect(await everyPage(filter())).toEqual(expected);
    const request = { ...filter(), customerId: ada, start: undefined };
    const { totals } = await readActivity(deps, request);
    for (const { outcome, lines, credits } of totals) {
      const own = expected.filter((line) => line.outcome === outcome);
      expect([lines, credits]).toEqual([
        own.length,
        own.reduce((sum, line) => sum + line.credits, 0),
      ]);
    }
    expect(totals.reduce((sum, { lines }) => sum + lines, 0)).toBe(expected.length);
  });

  it('has one line for each search, and passes the audit', () => {
    const searches = every.filter(({ requestId }) => requestId !== null);
    expect(new Set(searches.map(({ requestId }) => requestId)).size).toBe(searches.length);
    expect(auditLedger(db).differences).toEqual([]);
  });

  it('is not shifted by new lines', async () => {
    const { page: first } = await readActivity(deps, { customerId: ada, start: undefined });
    const start = { before: first.lines.at(-1)?.id ?? 0 };
    const { page: second } = await readActivity(deps, { customerId: ada, start });
    changeOnSqlite(db, topUp({ customerId: ada, credits: 1, now: NOW + 2_300 * HOUR }));
    const { page: again } = await readActivity(deps, { customerId: ada, start });
    expect(again.lines).toEqual(second.lines);
  });
});

describe('the audit of activity', () => {
  it.each([
    [
      "UPDATE activity SET outcome = 'free' WHERE outcome = 'charged' AND id = (SELECT max(id) FROM activity WHERE outcome = 'charged')",
      /line \d+/,
    ],
    ['UPDATE activity_days SET lines = lines + 1', /activity of/],
  ])('finds what %s has changed', (sql, said) => {
    db.exec('SAVEPOINT tampering');
    db.exec(sql);
    expect(auditLedger(db).differences.join('\n')).toMatch(said);
    db.exec('ROLLBACK TO tampering; RELEASE tampering');
    expect(auditLedger(db).differences).toEqual([]);
  });
});

describe('what a page costs', () => {
  const plans: [filter: ActivityFilter, index: string][] = [
    [{}, 'activity_by_customer'],
    [{ kind: 'search', outcome: 'charged' }, 'activity_by_customer'],
    [{ keyId: 1 }, 'activity_by_key'],
    [{ kind: 'verify', keyId: 1 }, 'activity_by_kind'],
    [{ outcome: 'refunded', kind: 'verify' }, 'activity_by_kind'],
  ];
  it.each(plans)('%j reads one index in order, and the totals a table of days', (filter, index) => {
    const request = { ...filter, customerId: ada, start: undefined, linesMax: PAGE };
    const plan = planOf(db, customerReports.readActivity(request));
    const stepsWith = (text: string) => plan.filter((step) => step.includes(text));
    expect(stepsWith(`USING INDEX ${index} `)).toHaveLength(1);
    expect(stepsWith('USING PRIMARY KEY')).toHaveLength(1);
    expect(plan.filter((step) => /^SCAN|TEMP B-TREE FOR ORDER/.test(step))).toEqual([]);
  });
});

describe('the CSV file', () => {
  it('has the lines of a filter under headings, without formulas', async () => {
    let text = '';
    for await (const piece of activityCsv(deps, { customerId: ada })) text += piece;
    const [heading, ...rows] = text.trimEnd().split('\r\n');
    expect(heading).toBe(
      '\uFEFFTime (UTC),What,Outcome,Change in credits,Key,Hash prefix of the key,Request id,Payment,Note',
    );
    expect(rows).toHaveLength(linesOfEntries().length);
    expect(rows.at(-1)).toBe(`2026-03-14 09:30:00,Top-up,,1000,,,,'-first-${ada},`);
    expect(text).toContain(",'=cmd|calc,");
  });
});
