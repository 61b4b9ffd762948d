/** Whatever is tampered with, the audit finds it: one row a kind of tampering. */
import { beforeEach, describe, expect, it } from 'vitest';
import { refundSearch, topUp } from '../../../src/accounts/sql/credit-entries.ts';
import { auditLedger } from '../../../src/accounts/sqlite/ledger/audit.ts';
import { createLedger } from '../../../src/accounts/sqlite/ledger/ledger.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { changeOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { addAccount, addKey, NOW, openMemoryStore } from '../../support/accounts.ts';

let db: Connection;

/**
 * Customer 1 with keys 1 and 3 has 9 credits, customer 2 with key 2 has 4. The entries:
 *
 *   id  customer  kind      credits  balance  request
 *    1     1      topup        10       10
 *    2     2      topup         5        5
 *    3     1      hold         -1        9    charged
 *    4     1      settle        0        9    charged
 *    5     1      hold         -2        7    released
 *    6     1      release       2        9    released
 *    7     1      hold         -1        8    refunded   (key 3)
 *    8     1      settle        0        8    refunded   (key 3)
 *    9     1      refund        1        9    refunded   (key 3)
 *   10     2      hold         -1        4    open       (key 2)
 */
beforeEach(() => {
  db = openMemoryStore();
  const ada = addAccount(db);
  const bob = addAccount(db, 'bob@example.org');
  const second = { ...ada, keyId: addKey(db, ada.customerId).key.id };
  const ledger = createLedger(db);
  changeOnSqlite(db, topUp({ customerId: ada.customerId, credits: 10, now: NOW }));
  changeOnSqlite(db, topUp({ customerId: bob.customerId, credits: 5, now: NOW }));
  ledger.hold({ requestId: 'charged', ...ada, credits: 1, now: NOW });
  ledger.settle('charged', NOW);
  ledger.hold({ requestId: 'released', ...ada, credits: 2, now: NOW });
  ledger.release('released', NOW);
  ledger.hold({ requestId: 'refunded', ...second, credits: 1, now: NOW });
  ledger.settle('refunded', NOW);
  changeOnSqlite(db, refundSearch({ requestId: 'refunded', now: NOW }));
  ledger.hold({ requestId: 'open', ...bob, credits: 1, now: NOW });
});

/** Does what no program of ours can: without triggers, checks and foreign keys. */
function tamper(sql: string): void {
  db.pragma('foreign_keys = OFF');
  db.pragma('ignore_check_constraints = ON');
  const triggers = db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'ledger_entries'",
    )
    .pluck()
    .all();
  for (const name of triggers) db.exec(`DROP TRIGGER ${name}`);
  db.exec(sql);
}

function entry(values: string): string {
  return `INSERT INTO ledger_entries
    (customer_id, key_id, kind, credits, balance, request_id, created_at) VALUES (${values});`;
}

const now = String(NOW);
const OPEN_AND_RESOLVED = (request: string): string =>
  `search ${request}: open in one table but resolved in the other`;
const DAY = '2026-03-14';
const USAGE = (key: number, span = '2026-03'): string =>
  `key ${key}: the usage of ${span} differs from the sum of its searches`;
const WITHOUT_HOLD = (id: number, kind: string): string =>
  `entry ${id}: a ${kind} without its hold`;
const BALANCE = (customer: number, balance: number, sum: number): string =>
  `customer ${customer}: the balance is ${balance}, but the entries add up to ${sum}`;
const ENTRY = (id: number, balance: number, sum: number): string =>
  `entry ${id}: has a balance of ${balance}, but the entries up to it add up to ${sum}`;

/** What was done, the SQL that did it, and all that the audit says. */
type Row = [what: string, sql: string, differences: string[]];

const derived: Row[] = [
  ['a balance is raised', 'UPDATE customers SET balance = 19 WHERE id = 1', [BALANCE(1, 19, 9)]],
  ['a balance is lowered', 'UPDATE customers SET balance = 0 WHERE id = 2', [BALANCE(2, 0, 4)]],
  [
    'a customer is added with a balance',
    "INSERT INTO customers (email, balance, created_at) VALUES ('eve@example.org', 3, 0)",
    [BALANCE(3, 3, 0)],
  ],
  [
    'the balances of two customers are swapped',
    'UPDATE customers SET balance = 13 - balance',
    [BALANCE(1, 4, 9), BALANCE(2, 9, 4)],
  ],
  ['requests are added', 'UPDATE usage SET requests = 9 WHERE key_id = 1', [USAGE(1)]],
  ['used credits are removed', 'UPDATE usage SET credits = 0 WHERE key_id = 1', [USAGE(1)]],
  ['a refund is not taken off', 'UPDATE usage SET credits = 1 WHERE key_id = 3', [USAGE(3)]],
  ['usage is removed', 'DELETE FROM usage WHERE key_id = 3', [USAGE(3)]],
  ['usage is added', "INSERT INTO usage VALUES (2, '2026-03', 1, 1)", [USAGE(2)]],
  ['usage of nothing is added', "INSERT INTO usage VALUES (2, '2026-03', 0, 0)", [USAGE(2)]],
  [
    'usage is given to another key',
    'UPDATE usage SET key_id = 2 WHERE key_id = 1',
    [...[USAGE(2), USAGE(1)]],
  ],
  [
    'usage is moved to another month',
    "UPDATE usage SET period = '2026-02' WHERE key_id = 1",
    [USAGE(1, '2026-02'), USAGE(1)],
  ],
  [
    'requests are added to a day',
    'UPDATE usage_days SET requests = 9 WHERE key_id = 1',
    [USAGE(1, DAY)],
  ],
  [
    'a refund is not taken off a day',
    'UPDATE usage_days SET credits = 1 WHERE key_id = 3',
    [USAGE(3, DAY)],
  ],
  ['usage of a day is removed', 'DELETE FROM usage_days WHERE key_id = 3', [USAGE(3, DAY)]],
  [
    'usage is moved to another day',
    "UPDATE usage_days SET day = '2026-03-13' WHERE key_id = 1",
    [USAGE(1, '2026-03-13'), USAGE(1, DAY)],
  ],
  ['an open hold is removed', 'DELETE FROM open_holds', [OPEN_AND_RESOLVED('open')]],
  ['an open hold is made larger', 'UPDATE open_holds SET credits = 3', [OPEN_AND_RESOLVED('open')]],
  [
    'an open hold is given to another customer',
    'UPDATE open_holds SET customer_id = 1',
    [OPEN_AND_RESOLVED('open')],
  ],
  [
    'an open hold is given to another key',
    'UPDATE open_holds SET key_id = 1',
    [OPEN_AND_RESOLVED('open')],
  ],
  [
    'an open hold is renamed',
    "UPDATE open_holds SET request_id = 'other'",
    [OPEN_AND_RESOLVED('open'), 'search other: held without a ledger entry'],
  ],
  [
    'an open hold is added',
    `INSERT INTO open_holds VALUES ('other', 1, 1, 1, ${now})`,
    ['search other: held without a ledger entry'],
  ],
  [
    'a charged search is opened again',
    `INSERT INTO open_holds VALUES ('charged', 1, 1, 1, ${now})`,
    [OPEN_AND_RESOLVED('charged')],
  ],
];

const ANSWER = (request: string): string =>
  `INSERT INTO stored_answers VALUES (1, 'x', x'00', '${request}', '{}', '', 2, 9);`;
const answers: Row[] = [
  [
    'an answer is stored without its charge',
    ANSWER('free'),
    ['customer 1: the answer to free is stored without its charge'],
  ],
  [
    'the totals of answers are changed',
    `${ANSWER('charged')} UPDATE stored_answer_totals SET bytes = 1 WHERE customer_id = 0`,
    ['customer 0: the totals of stored answers differ from their sum'],
  ],
];

const added: Row[] = [
  ['a topup is added', entry(`2, NULL, 'topup', 9, 13, NULL, ${now}`), [BALANCE(2, 4, 13)]],
  [
    'a topup is added with a wrong balance',
    `${entry(`2, NULL, 'topup', 9, 9, NULL, ${now}`)} UPDATE customers SET balance = 13 WHERE id = 2`,
    [ENTRY(11, 9, 13)],
  ],
  [
    'a hold is added without its open row',
    `${entry(`1, 1, 'hold', -1, 8, 'other', ${now}`)} UPDATE customers SET balance = 8 WHERE id = 1`,
    [OPEN_AND_RESOLVED('other')],
  ],
  [
    'more is held than there is',
    `${entry(`2, 2, 'hold', -6, -2, 'other', ${now}`)}
     INSERT INTO open_holds VALUES ('other', 2, 2, 6, ${now});
     UPDATE customers SET balance = -2 WHERE id = 2`,
    ['entry 11: the balance was -2'],
  ],
  [
    'a settle is added without a hold',
    entry(`1, 1, 'settle', 0, 9, 'other', ${now}`),
    [WITHOUT_HOLD(11, 'settle')],
  ],
  [
    'a release is added without a hold',
    `${entry(`1, 1, 'release', 1, 10, 'other', ${now}`)}
     UPDATE customers SET balance = 10 WHERE id = 1`,
    [WITHOUT_HOLD(11, 'release')],
  ],
  [
    'a refund is added without a hold',
    `${entry(`1, 1, 'refund', 1, 10, 'other', ${now}`)}
     UPDATE customers SET balance = 10 WHERE id = 1`,
    [WITHOUT_HOLD(11, 'refund'), 'search other: resolved more than once (refund)'],
  ],
  [
    'a charged search is released too',
    `${entry(`1, 1, 'release', 1, 10, 'charged', ${now}`)}
     UPDATE customers SET balance = 10 WHERE id = 1`,
    ['search charged: resolved more than once (hold,release,settle)'],
  ],
  [
    'a released search is charged too',
    `${entry(`1, 1, 'settle', 0, 9, 'released', ${now}`)}
     UPDATE usage SET requests = 2, credits = 3 WHERE key_id = 1;
     UPDATE usage_days SET requests = 2, credits = 3 WHERE key_id = 1`,
    ['search released: resolved more than once (hold,release,settle)'],
  ],
  [
    'a released search is refunded',
    `${entry(`1, 1, 'refund', 2, 11, 'released', ${now}`)}
     UPDATE customers SET balance = 11 WHERE id = 1`,
    ['search released: resolved more than once (hold,refund,release)'],
  ],
  [
    'an open search is refunded',
    `${entry(`2, 2, 'refund', 1, 5, 'open', ${now}`)}
     UPDATE customers SET balance = 5 WHERE id = 2`,
    ['search open: resolved more than once (hold,refund)'],
  ],
  [
    'a search is refunded twice',
    `DROP INDEX ledger_entries_by_request;
     ${entry(`1, 3, 'refund', 1, 10, 'refunded', ${now}`)}
     UPDATE customers SET balance = 10 WHERE id = 1`,
    // The audit counts the search once a refund.
    [
      'search refunded: resolved more than once (hold,settle,refund,refund)',
      USAGE(3),
      USAGE(3, DAY),
    ],
  ],
  [
    'an open search is released with more than it held',
    `${entry(`2, 2, 'release', 3, 7, 'open', ${now}`)} DELETE FROM open_holds;
     UPDATE customers SET balance = 7 WHERE id = 2`,
    [WITHOUT_HOLD(11, 'release')],
  ],
  [
    'an open search is released to another customer',
    `${entry(`1, 2, 'release', 1, 10, 'open', ${now}`)} DELETE FROM open_holds;
     UPDATE customers SET balance = 10 WHERE id = 1`,
    [WITHOUT_HOLD(11, 'release')],
  ],
  [
    'an open search is settled for another key',
    `${entry(`2, 1, 'settle', 0, 4, 'open', ${now}`)} DELETE FROM open_holds;
     UPDATE usage SET requests = 2, credits = 2 WHERE key_id = 1;
     UPDATE usage_days SET requests = 2, credits = 2 WHERE key_id = 1`,
    [WITHOUT_HOLD(11, 'settle')],
  ],
];

const rewritten: Row[] = [
  [
    'a topup is made larger',
    'UPDATE ledger_entries SET credits = 20 WHERE id = 2',
    [BALANCE(2, 4, 19), ENTRY(2, 5, 20), ENTRY(10, 4, 19)],
  ],
  [
    'a topup is given to another customer',
    'UPDATE ledger_entries SET customer_id = 1 WHERE id = 2',
    [
      ...[BALANCE(1, 9, 14), BALANCE(2, 4, -1), ENTRY(2, 5, 15), ENTRY(3, 9, 14), ENTRY(4, 9, 14)],
      ...[ENTRY(5, 7, 12), ENTRY(6, 9, 14), ENTRY(7, 8, 13), ENTRY(8, 8, 13), ENTRY(9, 9, 14)],
      ENTRY(10, 4, -1),
    ],
  ],
  ['a balance is changed', 'UPDATE ledger_entries SET balance = 6 WHERE id = 2', [ENTRY(2, 6, 5)]],
  [
    'a settle comes before its hold',
    `UPDATE ledger_entries SET id = 99, balance = 9 WHERE id = 7;
     UPDATE ledger_entries SET balance = 9 WHERE id = 8;
     UPDATE ledger_entries SET balance = 10 WHERE id = 9`,
    [WITHOUT_HOLD(8, 'settle'), WITHOUT_HOLD(9, 'refund')],
  ],
  [
    'a settle becomes a release of nothing',
    "UPDATE ledger_entries SET kind = 'release' WHERE id = 4",
    [WITHOUT_HOLD(4, 'release'), USAGE(1), USAGE(1, DAY)],
  ],
  [
    'a settle is moved to another month',
    'UPDATE ledger_entries SET created_at = 0 WHERE id = 4',
    [USAGE(1), USAGE(1, DAY), USAGE(1, '1970-01'), USAGE(1, '1970-01-01')],
  ],
  [
    'a hold is renamed',
    "UPDATE ledger_entries SET request_id = 'other' WHERE id = 3",
    [WITHOUT_HOLD(4, 'settle'), OPEN_AND_RESOLVED('other'), USAGE(1), USAGE(1, DAY)],
  ],
];

const removed: Row[] = [
  [
    'a topup is removed',
    'DELETE FROM ledger_entries WHERE id = 2',
    [BALANCE(2, 4, -1), ENTRY(10, 4, -1)],
  ],
  [
    'a hold is removed, with its balance',
    `DELETE FROM ledger_entries WHERE id = 10; UPDATE customers SET balance = 5 WHERE id = 2`,
    ['search open: held without a ledger entry'],
  ],
  [
    'a settle is removed',
    'DELETE FROM ledger_entries WHERE id = 4',
    [OPEN_AND_RESOLVED('charged'), USAGE(1), USAGE(1, DAY)],
  ],
  [
    'a release is removed',
    'DELETE FROM ledger_entries WHERE id = 6',
    [
      ...[BALANCE(1, 9, 7), ENTRY(7, 8, 6), ENTRY(8, 8, 6), ENTRY(9, 9, 7)],
      OPEN_AND_RESOLVED('released'),
    ],
  ],
  [
    'a refund is removed, with its balance',
    'DELETE FROM ledger_entries WHERE id = 9; UPDATE customers SET balance = 8 WHERE id = 1',
    [USAGE(3), USAGE(3, DAY)],
  ],
];

describe('the audit', () => {
  it('finds nothing in an intact ledger', () => {
    expect(auditLedger(db)).toEqual({ customers: 2, entries: 10, held: 1, differences: [] });
  });

  it('finds nothing in an empty ledger', () => {
    expect(auditLedger(openMemoryStore())).toEqual({
      customers: 0,
      entries: 0,
      held: 0,
      differences: [],
    });
  });

  it.each([...derived, ...answers, ...added, ...rewritten, ...removed])(
    'finds that %s',
    (_what, sql, found) => {
      tamper(sql);
      // Most of these leave the sums of days behind, which have tests of their own.
      const differences = auditLedger(db).differences.filter((it) => !it.startsWith('day '));
      expect(differences.toSorted()).toEqual(found.toSorted());
    },
  );

  it.each([
    ['UPDATE ledger_days SET credits = credits + 1 WHERE customer_id = 2', ['call 2', 'gift 2']],
    ["UPDATE ledger_days SET entries = 9 WHERE customer_id = 1 AND move = 'call'", ['call 1']],
    ["DELETE FROM ledger_days WHERE move = 'refund'", ['refund 1']],
    [entry(`2, NULL, 'topup', 9, 13, NULL, ${now}`), ['gift 2']],
    ["UPDATE ledger_entries SET reference = 'cs_1' WHERE id = 2", ['gift 2', 'purchase 2']],
  ])('finds that the sums of a day differ after %s', (sql, found) => {
    tamper(sql);
    const differences = auditLedger(db).differences.filter((it) => it.startsWith('day '));
    const sum = /^day 2026-03-14: the (\w+) sum of customer (\d) differs from its entries$/;
    expect(differences.map((it) => it.replace(sum, '$1 $2')).toSorted()).toEqual(found);
  });

  it.each([
    ['customer', 'DELETE FROM customers WHERE id = 2'],
    ['key', 'DELETE FROM api_keys WHERE id = 1'],
  ])('finds that a %s is removed from its entries', (_what, sql) => {
    tamper(sql);
    expect(auditLedger(db).differences).not.toEqual([]);
  });

  it.each([
    ['more than was given', '1, -11, -2', 'gift:1'],
    ['what another customer was given', '2, -1, 3', 'gift:1'],
    ['what a search cost', '1, -1, 8', 'gift:3'],
    ['nothing', '1, 1, 10', 'gift:1'],
  ])('finds that an operator took back %s', (_what, amounts, reference) => {
    tamper(
      `INSERT INTO ledger_entries (kind, customer_id, credits, balance, reference, created_at)
       VALUES ('adjust', ${amounts}, '${reference}', ${now})`,
    );
    const found = 'entry 11: takes back credit that was not given';
    expect(auditLedger(db).differences).toContain(found);
  });

  it('changes nothing', () => {
    tamper('UPDATE customers SET balance = 19 WHERE id = 1');
    db.pragma('query_only = ON');
    expect(auditLedger(db).differences).toEqual(auditLedger(db).differences);
    expect(auditLedger(db).differences).toHaveLength(1);
  });
});
