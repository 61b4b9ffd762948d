/** Pages of the ledger against the whole of it, filtered and sorted the simple way. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ledgerTable } from '../../src/accounts/account-tables.ts';
import { ledgerPage } from '../../src/accounts/credit.ts';
import { createKey } from '../../src/accounts/customer-keys.ts';
import { listEntries, refundSearch, topUp } from '../../src/accounts/sql/credit-entries.ts';
import {
  type LedgerFilter,
  type LedgerPageEntry,
  readLedgerPage,
} from '../../src/accounts/sql/ledger-pages.ts';
import { createLedger } from '../../src/accounts/sqlite/ledger/ledger.ts';
import { changeOnSqlite, runOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { addLinkedCustomer, createWorld } from '../support/account-world.ts';
import { NOW } from '../support/accounts.ts';
import { planOf } from '../support/plans.ts';
import { createRandom } from '../support/random.ts';

const HOUR = 3_600_000;
const world = createWorld({ listPageRowsMax: 7, csvEntriesPerRead: 5 });
const { db, deps } = world;
let ada = 0;
let prefixes: string[] = [];

/** Three months of two customers, with every kind of entry, clocks that differ by a minute. */
beforeAll(async () => {
  const chance = createRandom(7);
  const random = () => chance.below(1_000_000) / 1_000_000;
  const ledger = createLedger(db);
  const accounts = [];
  for (const email of ['ada@example.org', 'bob@example.org']) {
    const { customerId } = addLinkedCustomer(world, email);
    for (const name of ['laptop', '=cmd|calc']) {
      const made = await createKey(deps, { customerId, name, creditsPerMonthMax: null });
      accounts.push({ customerId, keyId: made.key.id, prefix: made.key.prefix });
    }
  }
  ada = accounts[0]?.customerId ?? 0;
  prefixes = accounts.map(({ prefix }) => prefix);
  for (let i = 0; i < 200; i++) {
    const now = NOW + i * 11 * HOUR + Math.floor(random() * 120_000) - 60_000;
    const { customerId, keyId } = accounts[Math.floor(random() * 4)] as (typeof accounts)[0];
    if (i < 4 || random() < 0.05) {
      const note = ['"quoted", with a comma', '+49 30 1234', 'two\nlines', undefined][i % 4];
      changeOnSqlite(
        db,
        topUp({ customerId, credits: 100, reference: `-payment-${i}`, note, now }),
      );
    }
    const requestId = `request-${i}`;
    if (ledger.hold({ requestId, customerId, keyId, credits: 1, now }) === undefined) continue;
    const fate = random();
    if (fate < 0.2) ledger.release(requestId, now + 1000);
    else if (fate < 0.95) ledger.settle(requestId, now + 1000);
    if (fate >= 0.2 && fate < 0.3) changeOnSqlite(db, refundSearch({ requestId, now: now + HOUR }));
  }
});

async function everyPage(filter: LedgerFilter, customerId = ada): Promise<LedgerPageEntry[]> {
  const all: LedgerPageEntry[] = [];
  for (let before: number | undefined; ; ) {
    const page = await ledgerPage(deps, {
      ...filter,
      customerId,
      ...(before === undefined ? {} : { before }),
    });
    expect(page.rows.length).toBeLessThanOrEqual(7);
    all.push(...page.rows);
    if (page.next === undefined) return all;
    expect(page.rows).toHaveLength(7);
    before = page.next;
  }
}

/** The ids that a filter should let through. */
function expectedIds({ kinds, keyPrefix, from = 0, until = Infinity }: LedgerFilter): number[] {
  const keyId = keyPrefix === undefined ? undefined : prefixes.indexOf(keyPrefix) + 1;
  return runOnSqlite(db, listEntries({ customerId: ada, limit: 10_000 }))
    .filter((entry) => kinds?.includes(entry.kind) ?? true)
    .filter((entry) => keyId === undefined || entry.keyId === keyId)
    .filter(({ createdAt }) => createdAt >= from && createdAt < until)
    .map(({ id }) => id);
}

describe('pages of the ledger', () => {
  const month = { from: Date.UTC(2026, 3, 1), until: Date.UTC(2026, 4, 1) };
  const filters: [what: string, filter: () => LedgerFilter, some: boolean][] = [
    ['everything', () => ({}), true],
    ['payments', () => ({ kinds: ['topup'] }), true],
    ['payments and refunds', () => ({ kinds: ['topup', 'refund'] }), true],
    ['searches', () => ({ kinds: ['hold'] }), true],
    ['searches and payments', () => ({ kinds: ['hold', 'topup'] }), true],
    ['no kind at all', () => ({ kinds: [] }), false],
    ['a key', () => ({ keyPrefix: prefixes[0] ?? '' }), true],
    ['a key that there is none of', () => ({ keyPrefix: 'zz' }), false],
    ["a key's refunds", () => ({ keyPrefix: prefixes[1] ?? '', kinds: ['refund'] }), true],
    ["a key's searches in a month", () => ({ keyPrefix: prefixes[1] ?? '', ...month }), true],
    ['a month', () => month, true],
    ['since a time', () => ({ from: month.until }), true],
    ['until a time', () => ({ until: month.from }), true],
    ['a month with refunds', () => ({ ...month, kinds: ['refund'] }), true],
    ['the time to come', () => ({ from: Date.UTC(2030, 0, 1) }), false],
    ['long ago', () => ({ until: Date.UTC(2020, 0, 1) }), false],
    [
      'a period that ends before it begins',
      () => ({ from: month.until, until: month.from }),
      false,
    ],
  ];
  it.each(filters)('of %s', async (_what, filter, some) => {
    const expected = expectedIds(filter());
    expect(expected.length > 0).toBe(some);
    expect((await everyPage(filter())).map(({ id }) => id)).toEqual(expected);
  });

  it('contain the key of an entry and the refund of a search', async () => {
    const refunds = new Map(
      (await everyPage({ kinds: ['refund'] })).map((entry) => [entry.requestId, entry.createdAt]),
    );
    expect(refunds.size).toBeGreaterThan(2);
    for (const entry of await everyPage({})) {
      expect(entry.refundedAt).toBe(refunds.get(entry.requestId) ?? null);
      if (entry.kind === 'topup') expect([entry.keyPrefix, entry.keyName]).toEqual([null, null]);
      else expect(prefixes.slice(0, 2)).toContain(entry.keyPrefix);
    }
  });

  it('are not shifted by new entries', async () => {
    const first = await ledgerPage(deps, { customerId: ada });
    changeOnSqlite(db, topUp({ customerId: ada, credits: 1, now: NOW + 2300 * HOUR }));
    const { rows } = await ledgerPage(deps, { customerId: ada, before: first.next ?? 0 });
    const [next] = rows;
    expect(next?.id).toBe(expectedIds({})[8]);
  });
});

describe('what a page costs', () => {
  const plans: [what: string, filter: LedgerFilter, index: string][] = [
    ['everything', {}, 'ledger_entries_by_customer'],
    ['a key', { keyPrefix: 'aa' }, 'ledger_entries_by_key'],
    ['payments', { kinds: ['topup'] }, 'ledger_entries_rare'],
    ['a key’s refunds', { keyPrefix: 'aa', kinds: ['refund'] }, 'ledger_entries_rare'],
  ];
  it.each(plans)('reads one index in order for %s, without sorting', (_what, filter, index) => {
    const request = { ...filter, customerId: ada, entriesMax: 7 };
    const plan = planOf(db, readLedgerPage(request));
    expect(plan[0]).toMatch(new RegExp(`^SEARCH \\w+ USING (COVERING )?INDEX ${index} `));
    expect(plan.filter((step) => /SCAN|TEMP B-TREE/.test(step))).toEqual([]);
  });
});

describe('the CSV file', () => {
  async function csv(filter: LedgerFilter): Promise<string> {
    let text = '';
    const { write } = ledgerTable(deps, { ...filter, customerId: ada });
    for await (const piece of write('csv')) text += piece;
    return text;
  }

  /** The rows of a file by RFC 4180. */
  function parse(text: string): string[][] {
    const rows: string[][] = [[]];
    const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
    while (cell.lastIndex < text.length) {
      const [, quoted, plain, end] = cell.exec(text) ?? expect.fail('no CSV');
      rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
      if (end === '\r\n') rows.push([]);
    }
    return rows.slice(0, -1);
  }

  it('has the entries of the pages in order, under a heading', async () => {
    const [heading, ...rows] = parse(await csv({}));
    expect(heading).toEqual([
      ...['\uFEFFEntry', 'Time (UTC)', 'What happened', 'Change in credits', 'Balance', 'Key'],
      ...['Hash prefix of the key', 'Request id', 'Refunded (UTC)', 'Payment', 'Note'],
    ]);
    expect(rows.map(([id]) => Number(id))).toEqual(expectedIds({}));
    const [first] = await everyPage({});
    expect(rows[0]?.slice(0, 5)).toEqual([
      String(first?.id),
      new Date(first?.createdAt ?? 0).toISOString().slice(0, 19).replace('T', ' '),
      'Gift',
      ...[String(first?.credits), String(first?.balance)],
    ]);
  });

  it('has no field that a spreadsheet would run as a formula', async () => {
    const [, ...rows] = parse(await csv({}));
    const texts = rows.flatMap((row) => row.filter((_cell, column) => column !== 3));
    expect(texts.filter((text) => /^[=+\-@\t\r\n]/.test(text))).toEqual([]);
    expect(rows.map((row) => row[3])).toContain('-1');
    expect(texts).toContain("'=cmd|calc");
    expect(texts).toContain("'-payment-0");
    expect(texts).toContain('"quoted", with a comma');
  });

  it('with a filter has only its entries', async () => {
    const filter: LedgerFilter = { kinds: ['topup'], until: Date.UTC(2026, 3, 20) };
    const [, ...rows] = parse(await csv(filter));
    expect(rows.map(([id]) => Number(id))).toEqual(expectedIds(filter));
  });

  it('without entries is just a heading', async () => {
    expect(parse(await csv({ kinds: [] }))).toHaveLength(1);
  });
});
