/** What is wrong with a server, and the sentence that says so. */
import { describe, expect, it } from 'vitest';
import { verdictOf } from '../../../src/dashboard/operator/components/verdict-notice.tsx';
import { choicesOf, conditionsOf, type Facts } from '../../../src/metrics/alerts/alert-kinds.ts';
import { NOW } from '../../support/accounts.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const well: Facts = {
  now: NOW,
  uptimeSeconds: 90 * 86_400,
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
    [{ lastBackupAt: undefined, uptimeSeconds: 3_600 }],
    [{ lanesDown: [{ name: 'arxiv', since: NOW - 60_000 }] }],
    [{ reviews: noReviews }],
  ])('is none of %j', (facts) => {
    expect(conditions(facts)).toEqual([]);
  });

  it('depends on what operators chose', () => {
    const chosen = [{ kind: 'disk', isOn: false, threshold: 90_000 }];
    expect(conditionsOf(well, choicesOf(chosen))).toMatchObject([{ kind: 'disk' }]);
  });
});

describe('the verdict', () => {
  it('is none if all is well', () => {
    expect(verdict({})).toBeUndefined();
  });

  it.each<[facts: Partial<Facts>, tone: string, sentence: string, cause: string]>([
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
    expect([found?.tone, found?.sentence, found?.cause.kind]).toEqual([tone, sentence, cause]);
  });

  it('says since when, and names what is wrong besides', () => {
    const found = verdict({ damage: damaged(true), isReady: false, lastBackupAt: NOW - 72 * HOUR });
    expect(found?.cause.since).toBe(NOW - HOUR);
    expect(found?.others.map(({ kind }) => kind)).toEqual(['backup']);
  });
});
