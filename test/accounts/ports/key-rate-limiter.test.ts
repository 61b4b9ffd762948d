/** The token buckets, on a clock of their own. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRateLimiter, type RateState } from '../../../src/accounts/ports/key-rate-limiter.ts';

const MANY_BUCKETS = 1_000;
const START = Date.UTC(2026, 0, 1);

interface Step {
  /** Seconds since the first step. */
  at: number;
  allowed: boolean;
  remaining: number;
  resetSeconds: number;
}

describe('a bucket of 3 per minute', () => {
  const steps: Step[] = [
    { at: 0, allowed: true, remaining: 2, resetSeconds: 20 },
    { at: 0, allowed: true, remaining: 1, resetSeconds: 20 },
    { at: 0, allowed: true, remaining: 0, resetSeconds: 20 },
    { at: 0, allowed: false, remaining: 0, resetSeconds: 20 },
    { at: 0.5, allowed: false, remaining: 0, resetSeconds: 20 },
    { at: 1, allowed: false, remaining: 0, resetSeconds: 19 },
    { at: 19.999, allowed: false, remaining: 0, resetSeconds: 1 },
    { at: 20, allowed: true, remaining: 0, resetSeconds: 20 },
    { at: 20, allowed: false, remaining: 0, resetSeconds: 20 },
    { at: 50, allowed: true, remaining: 0, resetSeconds: 10 },
    { at: 60, allowed: true, remaining: 0, resetSeconds: 20 },
    // However long nobody asks, a minute's worth is all that is saved up.
    { at: 100_000, allowed: true, remaining: 2, resetSeconds: 20 },
    // A clock that was set back gives nothing and takes nothing.
    { at: 99_000, allowed: true, remaining: 1, resetSeconds: 20 },
    { at: 99_000, allowed: true, remaining: 0, resetSeconds: 20 },
    { at: 99_000, allowed: false, remaining: 0, resetSeconds: 20 },
  ];

  it('allows a burst of 3 and then one every 20 seconds', () => {
    const limiter = createRateLimiter(MANY_BUCKETS);
    const found = steps.map(({ at }) => ({ at, ...limiter.take(1, 3, START + at * 1_000) }));
    expect(found).toEqual(steps.map((step) => ({ ...step, limit: 3 })));
  });
});

describe('keys', () => {
  it('have separate buckets', () => {
    const limiter = createRateLimiter(MANY_BUCKETS);
    expect(limiter.take(1, 1, START).allowed).toBe(true);
    expect(limiter.take(1, 1, START).allowed).toBe(false);
    expect(limiter.take(2, 1, START).allowed).toBe(true);
  });

  it('are evicted if there are too many, the least recently seen first', () => {
    const limiter = createRateLimiter(2);
    const isAllowed = (key: number): boolean => limiter.take(key, 1, START).allowed;
    expect([isAllowed(1), isAllowed(2), isAllowed(1)]).toEqual([true, true, false]);
    // The third pushes out the second, which was seen before the first.
    expect([isAllowed(3), isAllowed(1), isAllowed(2)]).toEqual([true, false, true]);
  });
});

describe('for any rate and any arrival of requests', () => {
  const rates = fc.integer({ min: 1, max: 10_000 });
  const gapsMs = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 300 });

  function takeAll(
    perMinute: number,
    gaps: readonly number[],
  ): { now: number; state: RateState }[] {
    const limiter = createRateLimiter(MANY_BUCKETS);
    let now = START;
    return gaps.map((gap) => {
      now += gap;
      return { now, state: limiter.take(1, perMinute, now) };
    });
  }

  it('never allows more than the burst and the refill', () => {
    fc.assert(
      fc.property(rates, gapsMs, (perMinute, gaps) => {
        const taken = takeAll(perMinute, gaps);
        const passed = taken.filter(({ state }) => state.allowed).length;
        const minutes = ((taken.at(-1)?.now ?? START) - START) / 60_000;
        expect(passed).toBeLessThanOrEqual(Math.floor(perMinute * (1 + minutes) + 1e-6));
      }),
    );
  });

  it('allows a request after the reported wait', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 120 }), gapsMs, (perMinute, gaps) => {
        const limiter = createRateLimiter(MANY_BUCKETS);
        let now = START;
        for (const gap of gaps) {
          now += gap % 50;
          const { allowed, resetSeconds } = limiter.take(1, perMinute, now);
          if (allowed) continue;
          expect(resetSeconds).toBeGreaterThanOrEqual(1);
          now += resetSeconds * 1_000;
          expect(limiter.take(1, perMinute, now).allowed).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('allows exactly the reported number of remaining requests', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.nat(1_000), (perMinute, asked) => {
        const limiter = createRateLimiter(MANY_BUCKETS);
        let last = limiter.take(1, perMinute, START);
        for (let i = 0; i < asked % perMinute; i++) last = limiter.take(1, perMinute, START);
        for (let left = last.remaining; left > 0; left--) {
          expect(limiter.take(1, perMinute, START).allowed).toBe(true);
        }
        expect(limiter.take(1, perMinute, START).allowed).toBe(false);
      }),
    );
  });
});
