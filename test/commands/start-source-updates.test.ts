/** When a server starts updates of its sources. */
import { expect, it, onTestFinished } from 'vitest';
import { startSourceUpdates } from '../../src/commands/start-source-updates.ts';
import { createLog } from '../../src/log.ts';
import { nextRunAt, parseHours } from '../../src/sources/update-hours.ts';

const HOUR_MS = 3_600_000;

/** The hours at which updates are started, while the clock goes on by half an hour at a time. */
async function startedAt(hours: string, { sources = 1, busyUntil = 0 } = {}): Promise<number[]> {
  const started: number[] = [];
  let now = 2.5 * HOUR_MS;
  let looks = 0;
  const stop = startSourceUpdates({
    hours,
    updates: {
      start: async ({ path, actor }) => {
        expect([path, actor]).toEqual(['source:', 'schedule']);
        started.push(now / HOUR_MS);
      },
      running: () => {
        looks++;
        return now < busyUntil * HOUR_MS
          ? { path: '', actor: '', startedAt: 0, isStopping: false, progress: undefined }
          : undefined;
      },
    },
    countSources: async () => sources,
    log: createLog(() => {}),
    now: () => now,
    clockMs: 1,
  });
  onTestFinished(stop);
  for (let half = 5; half < 2 * 30; half++) {
    now = (half / 2) * HOUR_MS;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  stop();
  expect(looks).toBeGreaterThan(hours === '' ? -1 : 0);
  return started;
}

it('starts one in each of the hours, on each day', async () => {
  expect(await startedAt('3,15')).toEqual([3, 15, 27]);
});

it('starts none in the hour in which the server started', async () => {
  expect(await startedAt('2')).toEqual([26]);
});

it('waits within the hour for an update that runs, and lets it pass otherwise', async () => {
  expect(await startedAt('3,15', { busyUntil: 3.5 })).toEqual([3.5, 15, 27]);
  expect(await startedAt('3,15', { busyUntil: 5 })).toEqual([15, 27]);
});

it('starts none without hours or without sources', async () => {
  expect(await startedAt('')).toEqual([]);
  expect(await startedAt('3', { sources: 0 })).toEqual([]);
});

it('reads hours, and knows the next one', () => {
  expect(parseHours(' 3, 15')).toEqual([3, 15]);
  for (const wrong of ['24', '-1', '3;4', 'night', '1.5']) {
    expect(() => parseHours(wrong), wrong).toThrow('VERBATIM_SOURCE_UPDATE_HOURS must be hours');
  }
  expect(nextRunAt('3,15', 3.2 * HOUR_MS)).toBe(15 * HOUR_MS);
  expect(nextRunAt('3', 3.2 * HOUR_MS)).toBe(27 * HOUR_MS);
  expect(nextRunAt('', 0)).toBeUndefined();
});
