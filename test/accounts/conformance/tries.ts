/** Counts of tries. */
import { describe, expect, it } from 'vitest';
import { NOW } from '../../support/accounts.ts';
import type { GetAccounts } from './accounts-under-test.ts';

const MINUTE_MS = 60_000;

let names = 0;

export function testTries(get: GetAccounts): void {
  /** Three in fifteen minutes, of somebody new. */
  const newTries = (count = 'tries') => ({
    count,
    name: `name-${++names}`,
    triesMax: 3,
    windowMs: 15 * MINUTE_MS,
    now: NOW,
  });
  const takeAll = async (tries: ReturnType<typeof newTries>): Promise<number> => {
    for (let taken = 0; ; taken++) {
      if (!(await get().store.takeTry(tries)).isAllowed) return taken;
    }
  };

  describe('tries', () => {
    it('are allowed at once, and return evenly', async () => {
      const tries = newTries();
      expect(await takeAll(tries)).toBe(3);
      expect((await get().store.takeTry(tries)).left).toBe(0);
      expect(await takeAll({ ...tries, now: NOW + 4 * MINUTE_MS })).toBe(0);
      const after4 = await get().store.takeTry({ ...tries, now: NOW + 4 * MINUTE_MS });
      expect(after4.left).toBeCloseTo(0.8);
      expect(await takeAll({ ...tries, now: NOW + 10 * MINUTE_MS })).toBe(2);
      expect(await takeAll({ ...tries, now: NOW + 90 * MINUTE_MS })).toBe(3);
    });

    it('succeed at once no more often than are left', async () => {
      const tries = newTries();
      const taken = await Promise.all(Array.from({ length: 32 }, () => get().store.takeTry(tries)));
      expect(taken.filter(({ isAllowed }) => isAllowed)).toHaveLength(3);
    });

    it('are counted for each name, and for each thing', async () => {
      const tries = newTries();
      expect(await takeAll(tries)).toBe(3);
      expect(await takeAll(newTries())).toBe(3);
      expect(await takeAll({ ...tries, count: 'other tries' })).toBe(3);
      expect(await takeAll(tries)).toBe(0);
    });

    it('are there until they are used, and looking uses none', async () => {
      const tries = newTries();
      for (let left = 3; left > 0; left--) {
        expect(await get().store.hasTry(tries)).toBe(true);
        await get().store.takeTry(tries);
      }
      expect(await get().store.hasTry(tries)).toBe(false);
      expect(await get().store.hasTry({ ...tries, now: NOW + 5 * MINUTE_MS })).toBe(true);
    });

    it('can be given back, but never become more than there were', async () => {
      const tries = newTries();
      await get().store.giveBackTry(tries);
      for (let round = 0; round < 5; round++) {
        await get().store.takeTry(tries);
        await get().store.giveBackTry(tries);
        await get().store.giveBackTry(tries);
      }
      expect(await takeAll(tries)).toBe(3);
    });

    it('return although the clock was far ahead', async () => {
      const tries = { ...newTries(), now: NOW + 24 * 60 * MINUTE_MS };
      await takeAll(tries);
      expect(await takeAll({ ...tries, now: NOW })).toBe(0);
      expect(await takeAll({ ...tries, now: NOW + 5 * MINUTE_MS })).toBe(1);
    });
  });
}
