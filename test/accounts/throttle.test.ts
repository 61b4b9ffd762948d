import { describe, expect, it } from 'vitest';
import { createAttemptCounter } from '../../src/accounts/ports/attempt-counter.ts';
import { createThrottle } from '../../src/accounts/throttle.ts';
import { NOW } from '../support/accounts.ts';

describe('a throttle of 3 attempts in 15 minutes', () => {
  const MINUTE = 60_000;
  const clock = { now: NOW };
  const create = (namesMax = 10) => {
    clock.now = NOW;
    const limits = { count: 'tries', attemptsMax: 3, windowMs: 15 * MINUTE };
    const store = createAttemptCounter(namesMax);
    const throttle = createThrottle({ store, ...limits, now: () => clock.now });
    /** How many attempts are allowed at this moment. */
    const tryAll = async (name: string): Promise<number> => {
      for (let count = 0; ; count++) {
        try {
          await throttle.take(name);
        } catch {
          return count;
        }
      }
    };
    return { ...throttle, tryAll };
  };

  it('allows 3 attempts at once, and one more every 5 minutes', async () => {
    const { tryAll } = create();
    expect(await tryAll('ada')).toBe(3);
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
      expect(await tryAll('ada'), `${minutes} minutes later`).toBe(allowed);
    }
  });

  it('says how long to wait', async () => {
    const { tryAll, take } = create();
    await tryAll('ada');
    await expect(take('ada')).rejects.toMatchObject({
      code: 'too_many_tries',
      message: 'too many tries; wait 5 minutes',
    });
    clock.now += 5 * MINUTE - 500;
    await expect(take('ada')).rejects.toThrow('too many tries; wait 1 second');
  });

  it('evicts only the least recently seen name', async () => {
    const { tryAll } = create(2);
    expect(await tryAll('ada')).toBe(3);
    expect(await tryAll('bob')).toBe(3);
    expect(await tryAll('ada')).toBe(0);
    expect(await tryAll('eve')).toBe(3);
    expect(await tryAll('ada')).toBe(0);
    expect(await tryAll('bob')).toBe(3);
  });

  it('keeps working if the clock goes back', async () => {
    const { tryAll } = create();
    await tryAll('ada');
    clock.now -= 60 * MINUTE;
    expect(await tryAll('ada')).toBe(0);
    clock.now += 5 * MINUTE;
    expect(await tryAll('ada')).toBe(1);
  });
});
