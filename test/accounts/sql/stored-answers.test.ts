/** Answers and their charges: together, or not at all. */
import { beforeEach, describe, expect, it } from 'vitest';
import { auditLedger } from '../../../src/accounts/sql/audit.ts';
import { readBalance } from '../../../src/accounts/sql/customers.ts';
import { createLedger, topUp } from '../../../src/accounts/sql/ledger.ts';
import {
  type AnswerReader,
  type AnswerToStore,
  createAnswerReader,
  deleteExpiredAnswers,
  prepareStoreAnswer,
} from '../../../src/accounts/sql/stored-answers.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { type Account, addAccount, NOW, openMemoryStore, rowsOf } from '../../support/accounts.ts';

let db: Connection;
let ada: Account;
let reader: AnswerReader;

beforeEach(() => {
  db = openMemoryStore();
  ada = addAccount(db);
  topUp(db, { customerId: ada.customerId, credits: 5, now: NOW });
  reader = createAnswerReader(db);
});

function hold(requestId: string): void {
  db.transaction(() => createLedger(db).hold({ requestId, ...ada, credits: 1, now: NOW }))();
}

function store(given: Partial<AnswerToStore> = {}): number | undefined {
  const { customerId } = ada;
  const fingerprint = Buffer.from('print');
  const answer: AnswerToStore = {
    request: { customerId, idempotencyKey: 'key', fingerprint },
    requestId: 'r',
    headers: { 'X-Lanes': 'off' },
    body: '{"n":0}',
    expiresAt: NOW + 1_000,
    charged: ['r'],
    released: [],
    now: NOW,
    ...given,
  };
  const storeAnswer = prepareStoreAnswer(db, createLedger(db));
  return db.transaction(() => storeAnswer(answer)).immediate();
}

const find = (now = NOW) => reader.find({ customerId: ada.customerId, idempotencyKey: 'key' }, now);

describe('an answer', () => {
  it('is stored with its charge, and found until it expires', () => {
    hold('r');
    expect(store()).toBe(4);
    expect(find()).toEqual({
      fingerprint: Buffer.from('print'),
      requestId: 'r',
      headers: { 'X-Lanes': 'off' },
      body: '{"n":0}',
    });
    expect(find(NOW + 999)).toBeDefined();
    expect(find(NOW + 1_000)).toBeUndefined();
    const totals = { answers: 1, bytes: '{"n":0}{"X-Lanes":"off"}'.length };
    expect(reader.totalsOf(ada.customerId)).toEqual(totals);
    expect(reader.totals()).toEqual(totals);
    expect(auditLedger(db)).toMatchObject({ held: 0, differences: [] });
  });

  it('charges several holds and releases others', () => {
    for (const id of ['r-1', 'r-2', 'r-3']) hold(id);
    expect(store({ charged: ['r-1', 'r-3'], released: ['r-2'] })).toBe(3);
    expect(readBalance(db, ada.customerId)).toBe(3);
    expect(auditLedger(db)).toMatchObject({ held: 0, differences: [] });
  });

  it('is not stored without its charge', () => {
    hold('r-1');
    expect(() => store({ charged: ['r-1', 'r-2'] })).toThrow('the hold r-2 is not open');
    expect(find()).toBeUndefined();
    expect(rowsOf(db, 'SELECT request_id AS id FROM open_holds')).toEqual([{ id: 'r-1' }]);
    expect(reader.totals()).toEqual({ answers: 0, bytes: 0 });
  });

  it('is not charged for a key that has one', () => {
    hold('r');
    hold('again');
    store();
    expect(() => store({ requestId: 'again', charged: ['again'] })).toThrow('UNIQUE constraint');
    expect(find()?.requestId).toBe('r');
    expect(readBalance(db, ada.customerId)).toBe(3);
    expect(auditLedger(db)).toMatchObject({ held: 1, differences: [] });
  });

  it('replaces one that has expired', () => {
    hold('r');
    hold('again');
    store({ expiresAt: NOW });
    store({ requestId: 'again', charged: ['again'] });
    expect(find()?.requestId).toBe('again');
    expect(reader.totals().answers).toBe(1);
  });

  it('is never changed', () => {
    hold('r');
    store();
    const change = "UPDATE stored_answers SET body = ''";
    expect(() => db.exec(change)).toThrow('stored answers are never changed');
  });
});

describe('deleteExpiredAnswers', () => {
  it('deletes the oldest first, so many at once, and nothing that is valid', () => {
    for (const [index, key] of ['a', 'b', 'c', 'd'].entries()) {
      hold(key);
      const request = {
        customerId: ada.customerId,
        idempotencyKey: key,
        fingerprint: Buffer.of(1),
      };
      store({ request, requestId: key, charged: [key], expiresAt: NOW - index });
    }
    hold('r');
    store();
    const keys = (): unknown[] =>
      rowsOf(db, 'SELECT idempotency_key AS key FROM stored_answers ORDER BY key').map(
        (row) => (row as { key: string }).key,
      );
    expect(deleteExpiredAnswers(db, { now: NOW, atMost: 3 })).toBe(3);
    expect(keys()).toEqual(['a', 'key']);
    expect(deleteExpiredAnswers(db, { now: NOW, atMost: 3 })).toBe(1);
    expect(deleteExpiredAnswers(db, { now: NOW, atMost: 3 })).toBe(0);
    expect(keys()).toEqual(['key']);
    expect(auditLedger(db).differences).toEqual([]);
  });
});

describe('the audit', () => {
  it('finds an answer without its charge, and wrong totals', () => {
    hold('r');
    store();
    db.exec('UPDATE stored_answer_totals SET bytes = 1 WHERE customer_id = 0');
    db.exec(
      `INSERT INTO stored_answers VALUES (${ada.customerId}, 'x', x'00', 'free', '{}', '', 2, 9)`,
    );
    expect(auditLedger(db).differences).toEqual([
      `customer ${ada.customerId}: the answer to free is stored without its charge`,
      'customer 0: the totals of stored answers differ from their sum',
    ]);
  });
});
