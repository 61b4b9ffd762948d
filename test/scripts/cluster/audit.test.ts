import { describe, expect, it } from 'vitest';
import { auditBooks, type Books, type Entry } from '../../../scripts/cluster/audit.ts';
import type { Exchange } from '../../../scripts/cluster/load.ts';

const KILLED = { node: 'node1', from: 10_000, until: 20_000 };

const answer = (requestId: string, more: Partial<Exchange> = {}): Exchange => ({
  customerId: 1,
  status: 200,
  requestId,
  node: 'node1',
  sentAt: 1,
  endedAt: 2,
  ...more,
});

/** The entries of one search. */
const search = (requestId: string, ...kinds: string[]): Entry[] =>
  kinds.map((kind) => ({ requestId, kind }));

const audit = (overrides: Partial<Books>) =>
  auditBooks({ entries: [], exchanges: [], stored: [], disturbances: [], ...overrides });

describe('the audit of a trial', () => {
  it('finds nothing where each answer has one charge, and nothing else has one', () => {
    const entries = [
      ...search('a', 'hold', 'settle'),
      ...search('b', 'hold', 'release'),
      { requestId: null, kind: 'topup' },
    ];
    const exchanges = [answer('a'), answer('b', { status: 503 }), answer('c', { status: 503 })];
    expect(audit({ entries, exchanges })).toEqual({
      wrong: [],
      answered: 1,
      charged: 1,
      released: 1,
      free: 0,
    });
  });

  it.each([
    ['charged without an answer', search('a', 'hold', 'settle'), []],
    ['charged without an answer', search('a', 'hold', 'settle'), [answer('a', { status: 503 })]],
    ['answered without a hold', [], [answer('a')]],
    ['answered and not charged', search('a', 'hold', 'release'), [answer('a')]],
    ['held or ended other than once', search('a', 'hold'), [answer('a')]],
    ['held or ended other than once', search('a', 'hold', 'settle', 'settle'), [answer('a')]],
    ['held or ended other than once', search('a', 'hold', 'settle', 'release'), [answer('a')]],
    ['held or ended other than once', search('a', 'settle'), [answer('a')]],
  ])('finds a search that is %s', (what, entries, exchanges) => {
    expect(audit({ entries, exchanges }).wrong).toContainEqual(
      expect.stringMatching(new RegExp(`^1 ${what}.*: a$`)),
    );
  });

  it('allows an answer without a charge only just before its node was killed, or while it was away', () => {
    const entries = search('a', 'hold', 'release');
    const wrong = (more: Partial<Exchange>) =>
      audit({ entries, exchanges: [answer('a', more)], disturbances: [KILLED] }).wrong.length;
    expect(wrong({ endedAt: 9_900 })).toBe(0);
    expect(wrong({ endedAt: 15_000 })).toBe(0);
    expect(wrong({ endedAt: 20_001 })).toBe(1);
    expect(wrong({ endedAt: 1_000 })).toBe(1);
    expect(wrong({ endedAt: 9_900, node: 'node2' })).toBe(1);
    // An answer with a key is stored with its charge.
    expect(wrong({ endedAt: 9_900, idempotencyKey: 'k' })).toBe(1);
  });

  it('allows a charge whose answer is stored for the client that asks again', () => {
    const entries = search('a', 'hold', 'settle');
    expect(audit({ entries, stored: ['a'] }).wrong).toEqual([]);
  });

  it('allows a charge whose answer was lost and came with a repeat', () => {
    const entries = search('a', 'hold', 'settle');
    const lost = answer('a', { status: 503, idempotencyKey: 'k' });
    const repeat = answer('b', { idempotencyKey: 'k', originalRequestId: 'a' });
    expect(audit({ entries, exchanges: [lost, repeat] })).toMatchObject({ wrong: [], answered: 1 });
  });

  it('counts repeats of one answer once, and wants them alike', () => {
    const entries = search('a', 'hold', 'settle');
    const first = answer('a', { idempotencyKey: 'k', bodyHash: 'x' });
    const repeat = answer('b', { idempotencyKey: 'k', originalRequestId: 'a', bodyHash: 'x' });
    const alike = audit({ entries, exchanges: [first, repeat] });
    expect(alike).toMatchObject({ wrong: [], answered: 1 });
    const unlike = audit({ entries, exchanges: [first, { ...repeat, bodyHash: 'y' }] });
    expect(unlike.wrong).toEqual(['1 answered differently to repeats: 1/k']);
  });

  it('finds an Idempotency-Key that was charged twice', () => {
    const entries = [...search('a', 'hold', 'settle'), ...search('b', 'hold', 'settle')];
    const exchanges = ['a', 'b'].map((id) => answer(id, { idempotencyKey: 'k', bodyHash: 'x' }));
    expect(audit({ entries, exchanges }).wrong).toEqual([
      '1 charged more than once for one Idempotency-Key: 1/k',
    ]);
  });
});
