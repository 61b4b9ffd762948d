/** Latency, lanes, failures, and credits by day and by key, as the ledger counts them. */
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type AnswerMeasures,
  deleteOldMeasures,
} from '../../../src/accounts/sql/answer-measures.ts';
import { addCustomer } from '../../../src/accounts/sql/customers.ts';
import { createLedger, dayOf, topUp } from '../../../src/accounts/sql/ledger.ts';
import { readUsageDetails } from '../../../src/accounts/sql/usage-details.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { addKey, NOW, openMemoryStore, rowsOf } from '../../support/accounts.ts';

const DAY = 86_400_000;

let db: Connection;
let customerId: number;
let keys: number[];
let requests = 0;
beforeEach(() => {
  db = openMemoryStore();
  customerId = addCustomer(db, { email: 'ada@example.org', now: NOW }).id;
  topUp(db, { customerId, credits: 100, now: NOW });
  keys = [0, 1].map(() => addKey(db, customerId).key.id);
});

function answer(keyId: number, now: number, measures?: AnswerMeasures): void {
  const requestId = `request-${++requests}`;
  const ledger = createLedger(db);
  ledger.hold({ requestId, customerId, keyId, credits: 1, now });
  ledger.settle(requestId, now, measures);
}

const range = (firstDay: number, lastDay: number) => ({
  customerId,
  firstDay: dayOf(firstDay),
  lastDay: dayOf(lastDay),
});

describe('usage', () => {
  it('is counted by day and by key, within the range', () => {
    const [first = 0, second = 0] = keys;
    answer(first, NOW - 2 * DAY, { milliseconds: 4, lanes: [] });
    answer(first, NOW, { milliseconds: 5, lanes: ['arxiv', 'web', 'arxiv'] });
    answer(second, NOW, { milliseconds: 60_000, lanes: [] });
    answer(second, NOW);
    const byDay = readUsageDetails(db, range(NOW - DAY, NOW), 'day');
    expect([...byDay]).toEqual([
      [
        dayOf(NOW),
        {
          requests: 3,
          credits: 3,
          failed: 0,
          latencies: [
            { boundMs: 5, calls: 1 },
            { boundMs: Number.POSITIVE_INFINITY, calls: 1 },
          ],
          lanes: { arxiv: 1, web: 1, corpus: 1 },
        },
      ],
    ]);
    const byKey = readUsageDetails(db, range(NOW - 2 * DAY, NOW), 'key_id');
    expect([...byKey.keys()]).toEqual([String(first), String(second)]);
    expect(byKey.get(String(first))).toMatchObject({
      requests: 2,
      latencies: [{ boundMs: 5, calls: 2 }],
    });
    const own = { ...range(NOW - 9 * DAY, NOW), keyId: second };
    expect([...readUsageDetails(db, own, 'day').values()]).toMatchObject([{ requests: 2 }]);
  });

  it('counts calls that were not charged, and nothing else of them', () => {
    const [keyId = 0] = keys;
    const ledger = createLedger(db);
    ledger.hold({ requestId: 'failed', customerId, keyId, credits: 1, now: NOW });
    ledger.release('failed', NOW + 1);
    const byDay = readUsageDetails(db, range(NOW, NOW), 'day');
    expect([...byDay.values()]).toEqual([
      { requests: 0, credits: 0, failed: 1, latencies: [], lanes: {} },
    ]);
  });

  it('of another customer is not found', () => {
    const eve = addCustomer(db, { email: 'eve@example.org', now: NOW }).id;
    answer(keys[0] ?? 0, NOW, { milliseconds: 5, lanes: [] });
    const foreign = { ...range(NOW, NOW), customerId: eve, keyId: keys[0] };
    for (const by of ['day', 'key_id'] as const) {
      expect(readUsageDetails(db, foreign, by).size).toBe(0);
    }
  });
});

describe('a call that is settled twice, or not open', () => {
  it('is measured once, or not at all', () => {
    const [keyId = 0] = keys;
    const ledger = createLedger(db);
    const measures = { milliseconds: 5, lanes: [] };
    ledger.hold({ requestId: 'once', customerId, keyId, credits: 1, now: NOW });
    for (const requestId of ['once', 'once', 'never']) ledger.settle(requestId, NOW, measures);
    expect(rowsOf(db, 'SELECT sum(calls) AS calls FROM latency_days')).toEqual([{ calls: 1 }]);
  });
});

describe('old measures', () => {
  it('are deleted in pieces, the oldest first, and usage stays', () => {
    for (const ago of [3, 2, 1, 0]) {
      answer(keys[0] ?? 0, NOW - ago * DAY, { milliseconds: 5, lanes: ['web'] });
    }
    const before = dayOf(NOW - DAY);
    expect([3, 3, 3].map((atMost) => deleteOldMeasures(db, { before, atMost }))).toEqual([3, 1, 0]);
    for (const table of ['latency_days', 'lane_days']) {
      expect(rowsOf(db, `SELECT min(day) AS day, count(*) AS n FROM ${table}`)).toEqual([
        { day: before, n: 2 },
      ]);
    }
    expect(rowsOf(db, 'SELECT count(*) AS n FROM usage_days')).toEqual([{ n: 4 }]);
  });
});
