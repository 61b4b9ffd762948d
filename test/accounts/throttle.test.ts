import { describe, expect, it } from 'vitest';
import { createThrottle } from '../../src/accounts/throttle.ts';
import { NOW } from '../support/accounts.ts';

describe('a throttle of 3 tries in 15 minutes', () => {
  const MINUTE = 60_000;
  const clock = { now: NOW };
  const create = (namesMax = 10) => {
    clock.now = NOW;
    const throttle = createThrottle({
      triesMax: 3,
      windowMs: 15 * MINUTE,
      namesMax,
      now: () => clock.now,
    });
    /** How many tries are allowed at this moment. */
    const tryAll = (name: string): number => {
      for (let count = 0; ; count++) {
        try {
          throttle.take(name);
        } catch {
          return count;
        }
      }
    };
    return { ...throttle, tryAll };
  };

  it('allows 3 tries at once, and one more every 5 minutes', () => {
    const { tryAll } = create();
    expect(tryAll('ada')).toBe(3);
    for (const [minutes, allowed] of [
      ...[
        [4, 0],
        [1, 1],
        [5, 1],
        [10, 2],
        [60, 3],
      ],
    ] as [number, number][]) {
      clock.now += minutes * MINUTE;
      expect(tryAll('ada'), `${minutes} minutes later`).toBe(allowed);
    }
  });

  it('says how long to wait', () => {
    const { tryAll, take } = create();
    tryAll('ada');
    expect(() => take('ada')).toThrow(
      expect.objectContaining({
        code: 'too_many_tries',
        message: 'too many tries; wait 5 minutes',
      }),
    );
    clock.now += 5 * MINUTE - 500;
    expect(() => take('ada')).toThrow('too many tries; wait 1 second');
  });

  it('counts names separately', () => {
    const { tryAll } = create();
    expect([tryAll('ada'), tryAll('bob'), tryAll('ada')]).toEqual([3, 3, 0]);
  });

  it('returns successful tries, and never holds more than 3', () => {
    const { tryAll, take, giveBack } = create();
    for (let count = 0; count < 10; count++) {
      take('ada');
      giveBack('ada');
    }
    giveBack('ada');
    expect(tryAll('ada')).toBe(3);
  });

  it('evicts only the least recently seen name', () => {
    const { tryAll } = create(2);
    expect([tryAll('ada'), tryAll('bob'), tryAll('ada'), tryAll('eve')]).toEqual([3, 3, 0, 3]);
    expect([tryAll('ada'), tryAll('bob')]).toEqual([0, 3]);
  });

  it('keeps working if the clock goes back', () => {
    const { tryAll } = create();
    tryAll('ada');
    clock.now -= 60 * MINUTE;
    expect(tryAll('ada')).toBe(0);
    clock.now += 5 * MINUTE;
    expect(tryAll('ada')).toBe(1);
  });
});
