import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLatencyTracker } from '../../../src/fallback/resilience/latency-tracker.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Requests that take so long, one after the other; whether the provider is slow after each. */
async function slowAfter(times: readonly number[]): Promise<boolean[]> {
  const slowness = createLatencyTracker({ lanePatienceMs: 2_000, laneSlowMax: 2 });
  const found: boolean[] = [];
  for (const time of times) {
    const exchange = new Promise((resolve) => setTimeout(resolve, time));
    const watched = slowness.track(exchange);
    await vi.advanceTimersByTimeAsync(time);
    await watched;
    found.push(slowness.isSlow());
  }
  return found;
}

describe('a provider', () => {
  it('is slow after so many requests that took longer than a search waits, in a row', async () => {
    expect(await slowAfter([2_100, 2_100])).toEqual([false, true]);
    expect(await slowAfter([2_100, 400, 2_100])).toEqual([false, false, false]);
  });

  it('is not slow any more after an answer in time', async () => {
    expect(await slowAfter([2_100, 2_100, 1_900])).toEqual([false, true, false]);
  });

  it('is slow as soon as that is known, before the answers are there', async () => {
    const slowness = createLatencyTracker({ lanePatienceMs: 2_000, laneSlowMax: 2 });
    void slowness.track(new Promise(() => {}));
    void slowness.track(new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(2_001);
    expect(slowness.isSlow()).toBe(true);
  });

  it('is not slow for failing at once', async () => {
    const slowness = createLatencyTracker({ lanePatienceMs: 2_000, laneSlowMax: 1 });
    await expect(slowness.track(Promise.reject(new Error('no')))).rejects.toThrow('no');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(slowness.isSlow()).toBe(false);
  });
});
