/** Entries are only ever added, and only whole ones: what the tables themselves refuse. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { topUp } from '../../../src/accounts/sql/credit-entries.ts';
import { createLedger } from '../../../src/accounts/sqlite/ledger/ledger.ts';
import { openStore } from '../../../src/database/open.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { changeOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { addAccount, NOW, rowsOf, temporaryFolder } from '../../support/accounts.ts';

const path = join(temporaryFolder(), 'ledger.db');
let ours: Connection;
let another: Connection;

/** Entry 1 is a payment of customer 1, entry 2 the hold of request `held` by key 1. */
beforeAll(() => {
  ours = openStore({ path, lockWaitMs: 5_000 });
  const account = addAccount(ours);
  changeOnSqlite(
    ours,
    topUp({ customerId: account.customerId, credits: 5, reference: 'payment', now: NOW }),
  );
  createLedger(ours).hold({ requestId: 'held', ...account, credits: 1, now: NOW });
  another = new Database(path);
  another.pragma('foreign_keys = ON');
});

afterAll(() => {
  ours.close();
  another.close();
});

const columns =
  '(id, customer_id, key_id, kind, credits, balance, request_id, reference, created_at)';
const rewrites: [what: string, sql: string][] = [
  ['a change', 'UPDATE ledger_entries SET credits = 50 WHERE id = 1'],
  ['a change that changes nothing', 'UPDATE ledger_entries SET note = NULL'],
  ['a change or replacement', "UPDATE OR REPLACE ledger_entries SET request_id = 'held'"],
  ['a deletion', 'DELETE FROM ledger_entries WHERE id = 2'],
  ['the deletion of everything', 'DELETE FROM ledger_entries'],
  [
    'an upsert',
    `INSERT INTO ledger_entries ${columns} VALUES (1, 1, NULL, 'topup', 50, 50, NULL, NULL, 0)
     ON CONFLICT DO UPDATE SET credits = excluded.credits`,
  ],
];
/** These delete the row that is in the way, for which SQLite by default asks no trigger. */
const replacements: [what: string, sql: string][] = [
  [
    'a replacement by its id',
    `INSERT OR REPLACE INTO ledger_entries ${columns}
     VALUES (1, 1, NULL, 'topup', 50, 50, NULL, NULL, 0)`,
  ],
  [
    'a replacement by its payment',
    `REPLACE INTO ledger_entries ${columns}
     VALUES (NULL, 1, NULL, 'topup', 50, 50, NULL, 'payment', 0)`,
  ],
  [
    'a replacement by its request',
    `INSERT OR REPLACE INTO ledger_entries ${columns}
     VALUES (NULL, 1, 1, 'hold', -5, 0, 'held', NULL, 0)`,
  ],
];

describe.each([
  ['through our connection', () => ours],
  ['through a connection of another program', () => another],
])('%s', (_name, connection) => {
  it.each([...rewrites, ...replacements])('the ledger refuses %s', (_what, sql) => {
    const before = rowsOf(ours, 'SELECT * FROM ledger_entries');
    const attempt = connection().transaction(() => {
      expect(() => connection().prepare(sql).run()).toThrow(/ledger entries are never/);
      throw new Error('undone');
    });
    expect(attempt).toThrow('undone');
    expect(rowsOf(ours, 'SELECT * FROM ledger_entries')).toEqual(before);
  });
});

interface Entry {
  customer: unknown;
  key: unknown;
  kind: unknown;
  credits: unknown;
  request: unknown;
  reference: unknown;
}

const blank: Entry = {
  customer: 1,
  key: 1,
  kind: 'hold',
  credits: -1,
  request: 'new',
  reference: null,
};

function insert(overrides: Partial<Entry>): void {
  const { customer, key, kind, credits, request, reference } = { ...blank, ...overrides };
  ours
    .transaction(() => {
      ours
        .prepare(`INSERT INTO ledger_entries ${columns} VALUES (NULL, ?, ?, ?, ?, 0, ?, ?, 0)`)
        .run(customer, key, kind, credits, request, reference);
      throw new Error('undone');
    })
    .immediate();
}

describe('an entry', () => {
  const accepted: [what: string, entry: Partial<Entry>][] = [
    ['topup', { kind: 'topup', credits: 1, key: null, request: null }],
    ['topup with a reference', { kind: 'topup', credits: 1, request: null, reference: 'new' }],
    [
      'adjust that takes',
      { kind: 'adjust', credits: -1, key: null, request: null, reference: 'new' },
    ],
    [
      'adjust that gives',
      { kind: 'adjust', credits: 1, key: null, request: null, reference: 'new' },
    ],
    ['hold', { kind: 'hold', credits: -1 }],
    ['settle', { kind: 'settle', credits: 0 }],
    ['settle of the same request', { kind: 'settle', credits: 0, request: 'held' }],
    ['release', { kind: 'release', credits: 1 }],
    ['refund', { kind: 'refund', credits: 1 }],
  ];
  it.each(accepted)('is accepted: %s', (_what, entry) => {
    expect(() => insert(entry)).toThrow('undone');
  });

  const refused: [what: string, entry: Partial<Entry>, error: RegExp][] = [
    ['topup of nothing', { kind: 'topup', credits: 0, request: null }, /CHECK/],
    ['topup of less', { kind: 'topup', credits: -1, request: null }, /CHECK/],
    ['topup of a request', { kind: 'topup', credits: 1 }, /CHECK/],
    [
      'adjust of nothing',
      { kind: 'adjust', credits: 0, key: null, request: null, reference: 'new' },
      /CHECK/,
    ],
    ['adjust without payment', { kind: 'adjust', key: null, request: null }, /CHECK/],
    ['adjust of a request', { kind: 'adjust', key: null, reference: 'new' }, /CHECK/],
    ['adjust of a key', { kind: 'adjust', request: null, reference: 'new' }, /CHECK/],
    ['hold of nothing', { kind: 'hold', credits: 0 }, /CHECK/],
    ['hold that gives', { kind: 'hold', credits: 1 }, /CHECK/],
    ['hold without request', { kind: 'hold', request: null }, /CHECK/],
    ['hold without key', { kind: 'hold', key: null }, /CHECK/],
    ['settle that gives', { kind: 'settle', credits: 1 }, /CHECK/],
    ['settle that takes', { kind: 'settle', credits: -1 }, /CHECK/],
    ['settle without request', { kind: 'settle', credits: 0, request: null }, /CHECK/],
    ['settle without key', { kind: 'settle', credits: 0, key: null }, /CHECK/],
    ['release of nothing', { kind: 'release', credits: 0 }, /CHECK/],
    ['release that takes', { kind: 'release', credits: -1 }, /CHECK/],
    ['release without request', { kind: 'release', credits: 1, request: null }, /CHECK/],
    ['release without key', { kind: 'release', credits: 1, key: null }, /CHECK/],
    ['refund of nothing', { kind: 'refund', credits: 0 }, /CHECK/],
    ['refund that takes', { kind: 'refund', credits: -1 }, /CHECK/],
    ['refund without request', { kind: 'refund', credits: 1, request: null }, /CHECK/],
    ['refund without key', { kind: 'refund', credits: 1, key: null }, /CHECK/],
    ['another kind', { kind: 'gift', credits: 1 }, /CHECK/],
    ['a kind in capitals', { kind: 'HOLD' }, /CHECK/],
    ['no kind', { kind: null }, /NOT NULL/],
    ['no credits', { credits: null }, /NOT NULL/],
    ['half a credit', { credits: -0.5 }, /cannot store REAL/],
    ['credits as words', { credits: 'one' }, /cannot store TEXT/],
    ['no customer', { customer: null }, /NOT NULL/],
    ['an unknown customer', { customer: 99 }, /FOREIGN KEY/],
    ['an unknown key', { key: 99 }, /FOREIGN KEY/],
    ['a second hold of a request', { request: 'held' }, /UNIQUE|never/],
    [
      'a second topup of a payment',
      { kind: 'topup', credits: 1, request: null, reference: 'payment' },
      /UNIQUE|never/,
    ],
  ];
  it.each(refused)('is refused: %s', (_what, entry, error) => {
    expect(() => insert(entry)).toThrow(error);
  });
});

describe('an open hold', () => {
  it.each([0, -1, null, 0.5])('of %s credits is refused', (credits) => {
    const insertHold = ours.prepare("INSERT INTO open_holds VALUES ('new', 1, 1, ?, 0)");
    expect(() => insertHold.run(credits)).toThrow(/CHECK|NOT NULL|REAL/);
  });
});

it('a stored answer is never changed', () => {
  ours.exec("INSERT INTO stored_answers VALUES (1, 'x', x'00', 'held', '{}', '', 2, 9)");
  const change = "UPDATE stored_answers SET body = ''";
  expect(() => ours.exec(change)).toThrow('stored answers are never changed');
});
