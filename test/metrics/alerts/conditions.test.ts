/** What is wrong with a server, and the sentence that says so. */
import { describe, expect, it } from 'vitest';
import { choicesOf } from '../../../src/metrics/alerts/alert-kinds.ts';
import { conditionsOf, type Facts } from '../../../src/metrics/alerts/conditions.ts';
import { verdictOf } from '../../../src/metrics/alerts/verdict.ts';
import { NOW } from '../../support/accounts.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const well: Facts = {
  now: NOW,
  startedAt: NOW - 90 * DAY,
  isReady: true,
  isLedgerWritable: true,
  damage: [],
  diskFreeBytes: 50e9,
  lastBackupAt: NOW - HOUR,
  certificateEndsAt: NOW + 60 * DAY,
  lanesDown: [],
  calls: 100,
  callsFailed: 0,
  reviews: undefined,
};
const noReviews = { disputes: 0, disputedAt: 0, problems: 0, problemAt: 0 };
const damaged = (isBlocking: boolean) => [{ part: 'index', isBlocking, noticedAt: NOW - HOUR }];

const conditions = (facts: Partial<Facts>) => conditionsOf({ ...well, ...facts }, choicesOf([]));
const verdict = (facts: Partial<Facts>) => verdictOf(conditions(facts));

describe('a condition', () => {
  it.each<[facts: Partial<Facts>, kind: string, text: string]>([
    [{ isReady: false }, 'searches', 'the server is not ready'],
    [{ isLedgerWritable: false }, 'searches', 'the accounts cannot be written'],
    [
      { callsFailed: 5 },
      'searches',
      '5 of 100 calls in 5 minutes ended with an error of the server',
    ],
    [{ damage: damaged(false) }, 'damage', 'the database file is damaged (index)'],
    [{ diskFreeBytes: 12e6 }, 'disk', 'the disk has 12.0 MB left'],
    [{ diskFreeBytes: 0 }, 'disk', 'the disk is full'],
    [{ certificateEndsAt: NOW + 3 * DAY }, 'certificate', 'the certificate ends in 3 days'],
    [{ certificateEndsAt: NOW - 1 }, 'certificate', 'the certificate has expired'],
    [{ lastBackupAt: NOW - 48 * HOUR }, 'backup', 'the last backup is 48 hours old'],
    [{ lastBackupAt: undefined }, 'backup', 'no backup of the database is known'],
    [{ lanesDown: [{ name: 'arxiv', since: NOW - HOUR }] }, 'lanes', 'arxiv is down'],
    [{ reviews: { ...noReviews, disputes: 1 } }, 'disputes', 'a payment is disputed'],
    [{ reviews: { ...noReviews, problems: 2 } }, 'payments', '2 events of Stripe need a look'],
  ])('of %j is %s', (facts, kind, text) => {
    expect(conditions(facts)).toMatchObject([{ kind, text }]);
  });

  it.each<[facts: Partial<Facts>]>([
    [{}],
    [{ callsFailed: 4 }],
    [{ calls: 101, callsFailed: 5 }],
    [{ calls: 0 }],
    [{ diskFreeBytes: undefined }],
    [{ diskFreeBytes: 1_024e6 }],
    [{ certificateEndsAt: undefined }],
    [{ lastBackupAt: undefined, startedAt: NOW - HOUR }],
    [{ lanesDown: [{ name: 'arxiv', since: NOW - 60_000 }] }],
    [{ reviews: noReviews }],
  ])('is none of %j', (facts) => {
    expect(conditions(facts)).toEqual([]);
  });

  it('depends on what operators chose', () => {
    const chosen = [{ kind: 'disk', isOn: false, threshold: 90_000, countMin: 0 }];
    expect(conditionsOf(well, choicesOf(chosen))).toMatchObject([{ kind: 'disk' }]);
  });

  it('has another mark if something else is damaged too', () => {
    const more = [...damaged(false), { part: 'accounts', isBlocking: false, noticedAt: NOW }];
    const [first, second] = [damaged(false), more].map((damage) => conditions({ damage })[0]?.mark);
    expect(first).not.toBe(second);
  });
});

describe('the verdict', () => {
  it.each<[facts: Partial<Facts>, tone: string, sentence: string, cause: string | undefined]>([
    [{}, 'good', 'All is well', undefined],
    [
      { isReady: false, damage: damaged(true) },
      'bad',
      'Searches fail: the database file is damaged (index)',
      'damage',
    ],
    [
      { isReady: false, isLedgerWritable: false, diskFreeBytes: 0 },
      'bad',
      'Searches fail: the disk is full',
      'disk',
    ],
    [
      { isLedgerWritable: false },
      'bad',
      'Searches fail: the accounts cannot be written',
      'searches',
    ],
    [
      { damage: damaged(false), lastBackupAt: 0 },
      'bad',
      'Searches work, but the database file is damaged (index)',
      'damage',
    ],
    [{ diskFreeBytes: 12e6 }, 'warn', 'Searches work, but the disk has 12.0 MB left', 'disk'],
  ])('of %j is %s', (facts, tone, sentence, cause) => {
    const found = verdict(facts);
    expect([found.tone, found.sentence, found.cause?.kind]).toEqual([tone, sentence, cause]);
    expect(found.advice === '').toBe(cause === undefined);
  });

  it('says since when, and names what is wrong besides', () => {
    const found = verdict({ damage: damaged(true), isReady: false, lastBackupAt: NOW - 72 * HOUR });
    expect(found.since).toBe(NOW - HOUR);
    expect(found.others.map(({ kind }) => kind)).toEqual(['backup']);
  });
});
