/** Counts of attempts. */
import { describe, expect, it } from 'vitest';
import { NOW } from '../../support/accounts.ts';
import type { GetAccounts } from './accounts-under-test.ts';

const MINUTE_MS = 60_000;

let names = 0;

export function testAttempts(get: GetAccounts): void {
  /** Three in fifteen minutes, of somebody new. */
  const newAttempts = (count = 'attempts') => ({
    count,
    name: `name-${++names}`,
    attemptsMax: 3,
    windowMs: 15 * MINUTE_MS,
    now: NOW,
  });
  const takeAll = async (attempts: ReturnType<typeof newAttempts>): Promise<number> => {
    for (let taken = 0; ; taken++) {
      if (!(await get().store.takeAttempt(attempts)).isAllowed) return taken;
    }
  };

  describe('attempts', () => {
    it('are allowed at once, and return evenly', async () => {
      const attempts = newAttempts();
      expect(await takeAll(attempts)).toBe(3);
      expect((await get().store.takeAttempt(attempts)).left).toBe(0);
      expect(await takeAll({ ...attempts, now: NOW + 4 * MINUTE_MS })).toBe(0);
      const after4 = await get().store.takeAttempt({ ...attempts, now: NOW + 4 * MINUTE_MS });
      expect(after4.left).toBeCloseTo(0.8);
      expect(await takeAll({ ...attempts, now: NOW + 10 * MINUTE_MS })).toBe(2);
      expect(await takeAll({ ...attempts, now: NOW + 90 * MINUTE_MS })).toBe(3);
    });

    it('succeed at once no more often than are left', async () => {
      const attempts = newAttempts();
      const taken = await Promise.all(
        Array.from({ length: 32 }, () => get().store.takeAttempt(attempts)),
      );
      expect(taken.filter(({ isAllowed }) => isAllowed)).toHaveLength(3);
    });

    it('are counted for each name, and for each thing', async () => {
      const attempts = newAttempts();
      expect(await takeAll(attempts)).toBe(3);
      expect(await takeAll(newAttempts())).toBe(3);
      expect(await takeAll({ ...attempts, count: 'other attempts' })).toBe(3);
      expect(await takeAll(attempts)).toBe(0);
    });

    it('are there until they are used, and looking uses none', async () => {
      const attempts = newAttempts();
      for (let left = 3; left > 0; left--) {
        expect(await get().store.hasAttempt(attempts)).toBe(true);
        await get().store.takeAttempt(attempts);
      }
      expect(await get().store.hasAttempt(attempts)).toBe(false);
      expect(await get().store.hasAttempt({ ...attempts, now: NOW + 5 * MINUTE_MS })).toBe(true);
    });

    it('can be released, but never become more than there were', async () => {
      const attempts = newAttempts();
      await get().store.releaseAttempt(attempts);
      for (let round = 0; round < 5; round++) {
        await get().store.takeAttempt(attempts);
        await get().store.releaseAttempt(attempts);
        await get().store.releaseAttempt(attempts);
      }
      expect(await takeAll(attempts)).toBe(3);
    });

    it('return although the clock was far ahead', async () => {
      const attempts = { ...newAttempts(), now: NOW + 24 * 60 * MINUTE_MS };
      await takeAll(attempts);
      expect(await takeAll({ ...attempts, now: NOW })).toBe(0);
      expect(await takeAll({ ...attempts, now: NOW + 5 * MINUTE_MS })).toBe(1);
    });
  });
}
