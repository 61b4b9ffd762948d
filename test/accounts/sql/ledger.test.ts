import { beforeEach, describe, expect, it } from 'vitest';
import { auditLedger } from '../../../src/accounts/sql/audit.ts';
import { readBalance } from '../../../src/accounts/sql/customers.ts';
import {
  createLedger,
  listEntries,
  periodOf,
  refundSearch,
  releaseOpenHolds,
  topUp,
} from '../../../src/accounts/sql/ledger.ts';
import { createUsageReader } from '../../../src/accounts/sql/search-usage.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import {
  type Account,
  addAccount,
  addKey,
  NOW,
  openMemoryStore,
  PERIOD,
  rowsOf,
} from '../../support/accounts.ts';

let db: Connection;
let ada: Account;

beforeEach(() => {
  db = openMemoryStore();
  ada = addAccount(db);
  topUp(db, { customerId: ada.customerId, credits: 5, now: NOW });
});

type StepKind = 'settle' | 'release' | 'refund';

function hold(requestId: string, credits = 1, account: Account = ada): number | undefined {
  return db
    .transaction(() => createLedger(db).hold({ requestId, ...account, credits, now: NOW }))
    .immediate();
}

function step(kind: StepKind, requestId: string, now = NOW): number | undefined {
  if (kind === 'refund') return refundSearch(db, { requestId, now }).balance;
  return db.transaction(() => createLedger(db)[kind](requestId, now)).immediate();
}

/** Everything that money is in. */
function allTables(): unknown[][] {
  return ['customers', 'ledger_entries', 'open_holds', 'usage'].map((table) =>
    rowsOf(db, `SELECT * FROM ${table}`),
  );
}

describe('a hold', () => {
  const rows: [what: string, credits: number, balance: number | undefined][] = [
    ['of a part takes it', 1, 4],
    ['of everything leaves nothing', 5, 0],
    ['of one too much is refused', 6, undefined],
    ['of far too much is refused', 1_000_000_000_000, undefined],
  ];
  it.each(rows)('%s', (_what, credits, balance) => {
    expect(hold('a', credits)).toBe(balance);
    expect(readBalance(db, ada.customerId)).toBe(balance ?? 5);
    expect(rowsOf(db, 'SELECT credits FROM open_holds')).toEqual(
      balance === undefined ? [] : [{ credits }],
    );
  });

  const refused: [what: string, take: () => unknown, error: RegExp][] = [
    ['of nothing', () => hold('b', 0), /CHECK/],
    ['of less than nothing', () => hold('b', -1), /CHECK/],
    ['of half a credit', () => hold('b', 0.5), /cannot store REAL/],
    ['with a request id that was held before', () => hold('a'), /UNIQUE|once/],
    ['of a key that there is none of', () => hold('b', 1, { ...ada, keyId: 99 }), /FOREIGN KEY/],
  ];
  it.each(refused)('%s fails and changes nothing', (_what, take, error) => {
    hold('a');
    const before = allTables();
    expect(take).toThrow(error);
    expect(allTables()).toEqual(before);
  });

  it('of an unknown customer is refused like one without credit', () => {
    expect(hold('a', 1, { ...ada, customerId: 99 })).toBeUndefined();
  });

  it('shares the balance between the keys of a customer', () => {
    const second = { ...ada, keyId: addKey(db, ada.customerId).key.id };
    expect([hold('a', 3), hold('b', 2, second), hold('c', 1, second), hold('d', 1)]).toEqual([
      ...[2, 0],
      ...[undefined, undefined],
    ]);
  });

  it('does not affect other customers', () => {
    const bob = addAccount(db, 'bob@example.org');
    expect(hold('a', 1, bob)).toBeUndefined();
    expect(readBalance(db, ada.customerId)).toBe(5);
  });
});

describe('after a hold of 2 of 5 credits', () => {
  /** Steps, the balance that the last one answers, and what the month has then. */
  const rows: [steps: StepKind[], balance: number, requests: number, credits: number][] = [
    [['settle'], 3, 1, 2],
    [['release'], 5, 0, 0],
    [['settle', 'refund'], 5, 1, 0],
  ];
  it.each(rows)('%j leaves %i', (steps, balance, requests, credits) => {
    hold('a', 2);
    expect(steps.map((kind) => step(kind, 'a')).at(-1)).toBe(balance);
    expect(readBalance(db, ada.customerId)).toBe(balance);
    expect(createUsageReader(db)(ada.keyId, PERIOD)).toEqual({ requests, credits });
    expect(rowsOf(db, 'SELECT * FROM open_holds')).toEqual([]);
    expect(auditLedger(db).differences).toEqual([]);
  });

  /** What was done before, and what is tried then: undefined is a step that finds nothing to do. */
  const repeated: [before: StepKind[], again: StepKind, refusal: string | undefined][] = [
    [[], 'refund', 'the search a was not charged'],
    [['settle'], 'settle', undefined],
    [['settle'], 'release', undefined],
    [['release'], 'release', undefined],
    [['release'], 'settle', undefined],
    [['release'], 'refund', 'the search a was not charged'],
    [['settle', 'refund'], 'refund', 'the search a was already refunded'],
    [['settle', 'refund'], 'settle', undefined],
    [['settle', 'refund'], 'release', undefined],
  ];
  it.each(repeated)('%j is not followed by %s', (before, again, refusal) => {
    hold('a', 2);
    for (const kind of before) step(kind, 'a');
    const tables = allTables();
    if (refusal === undefined) expect(step(again, 'a')).toBeUndefined();
    else expect(() => step(again, 'a')).toThrow(refusal);
    expect(allTables()).toEqual(tables);
  });
});

describe('a search that the ledger does not know', () => {
  it.each(['settle', 'release'] as const)('has nothing to %s', (kind) => {
    expect(step(kind, 'nobody')).toBeUndefined();
  });

  it('has no refund', () => {
    expect(() => step('refund', 'nobody')).toThrow('the ledger has no search nobody');
  });
});

describe('a top-up', () => {
  const add = (reference?: string, customerId = ada.customerId): number =>
    topUp(db, { customerId, credits: 10, reference, now: NOW });

  it('without a reference is added every time', () => {
    expect([add(), add()]).toEqual([15, 25]);
  });

  it('counts a payment once, for any customer', () => {
    const bob = addAccount(db, 'bob@example.org');
    expect(add('invoice-7')).toBe(15);
    const before = allTables();
    for (const customerId of [ada.customerId, bob.customerId]) {
      expect(() => add('invoice-7', customerId)).toThrow(
        'the payment invoice-7 was already counted',
      );
    }
    expect(allTables()).toEqual(before);
    expect(add('invoice-8')).toBe(25);
  });

  it.each([0, -1, 0.5])('of %d credits fails and changes nothing', (credits) => {
    const before = allTables();
    expect(() => topUp(db, { customerId: ada.customerId, credits, now: NOW })).toThrow();
    expect(allTables()).toEqual(before);
  });

  it('for an unknown customer fails and changes nothing', () => {
    const before = allTables();
    expect(() => add(undefined, 99)).toThrow();
    expect(allTables()).toEqual(before);
  });
});

describe('the month of a search', () => {
  const rows: [time: number, period: string][] = [
    [Date.UTC(2026, 0, 1), '2026-01'],
    [Date.UTC(2026, 0, 31, 23, 59, 59, 999), '2026-01'],
    [Date.UTC(2026, 1, 1), '2026-02'],
    [Date.UTC(2028, 1, 29, 12), '2028-02'],
    [Date.UTC(2026, 11, 31, 23, 59, 59, 999), '2026-12'],
    [Date.UTC(2027, 0, 1), '2027-01'],
  ];
  it.each(rows)('at %i is %s in UTC', (time, period) => {
    expect(periodOf(time)).toBe(period);
    hold('a');
    step('settle', 'a', time);
    expect(rowsOf(db, 'SELECT period FROM usage')).toEqual([{ period }]);
    expect(auditLedger(db).differences).toEqual([]);
  });

  it('is the month of the settlement, even for a later refund', () => {
    const [march, april, may] = [2, 3, 4].map((month) => Date.UTC(2026, month, 20));
    for (const requestId of ['a', 'b']) {
      hold(requestId, 2);
      step('settle', requestId, april);
    }
    step('refund', 'a', may);
    const months = [march, april, may].map((time) =>
      createUsageReader(db)(ada.keyId, periodOf(Number(time))),
    );
    const nothing = { requests: 0, credits: 0 };
    expect(months).toEqual([nothing, { requests: 2, credits: 2 }, nothing]);
    expect(auditLedger(db).differences).toEqual([]);
  });
});

describe('after a crash', () => {
  it('releases every open hold once and nothing else', () => {
    const bob = addAccount(db, 'bob@example.org');
    topUp(db, { customerId: bob.customerId, credits: 3, now: NOW });
    hold('charged');
    step('settle', 'charged');
    hold('ours', 2);
    hold('theirs', 3, bob);
    expect(releaseOpenHolds(db, NOW + 1)).toBe(2);
    expect([ada, bob].map(({ customerId }) => readBalance(db, customerId))).toEqual([4, 3]);
    expect(createUsageReader(db)(ada.keyId, PERIOD)).toEqual({ requests: 1, credits: 1 });
    expect(auditLedger(db)).toMatchObject({ held: 0, differences: [] });
    expect(releaseOpenHolds(db, NOW + 2)).toBe(0);
  });
});

describe('the list of entries', () => {
  it('returns the newest entries of the customer, up to the limit', () => {
    const bob = addAccount(db, 'bob@example.org');
    topUp(db, { customerId: bob.customerId, credits: 3, reference: 'r', note: 'n', now: NOW });
    hold('a', 2);
    step('settle', 'a', NOW + 5);
    const list = (customerId: number, limit: number): unknown[] =>
      listEntries(db, { customerId, limit }).map(({ kind, balance }) => [kind, balance]);
    const ours = [
      ['settle', 3],
      ['hold', 3],
      ['topup', 5],
    ];
    expect(list(ada.customerId, 50)).toEqual(ours);
    expect(list(ada.customerId, 2)).toEqual(ours.slice(0, 2));
    expect(listEntries(db, { customerId: bob.customerId, limit: 50 })).toEqual([
      {
        id: 2,
        customerId: bob.customerId,
        keyId: null,
        kind: 'topup',
        credits: 3,
        balance: 3,
        requestId: null,
        reference: 'r',
        note: 'n',
        createdAt: NOW,
      },
    ]);
  });
});
