import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLatencyTracker } from '../../../src/lanes/resilience/latency-tracker.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Tracks requests of the given durations, one after the other. Returns isSlow() after each. */
async function slowAfter(times: readonly number[]): Promise<boolean[]> {
  const latency = createLatencyTracker({ laneWaitMsMax: 2_000, laneSlowRequestsMax: 2 });
  const results: boolean[] = [];
  for (const time of times) {
    const exchange = new Promise((resolve) => setTimeout(resolve, time));
    const tracked = latency.track(exchange);
    await vi.advanceTimersByTimeAsync(time);
    await tracked;
    results.push(latency.isSlow());
  }
  return results;
}

describe('createLatencyTracker', () => {
  it('calls a provider slow after several slow requests in a row', async () => {
    expect(await slowAfter([2_100, 2_100])).toEqual([false, true]);
    expect(await slowAfter([2_100, 400, 2_100])).toEqual([false, false, false]);
  });

  it('does not call it slow after a response in time', async () => {
    expect(await slowAfter([2_100, 2_100, 1_900])).toEqual([false, true, false]);
  });

  it('calls it slow before the slow responses arrive', async () => {
    const latency = createLatencyTracker({ laneWaitMsMax: 2_000, laneSlowRequestsMax: 2 });
    void latency.track(new Promise(() => {}));
    void latency.track(new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(2_001);
    expect(latency.isSlow()).toBe(true);
  });

  it('does not call it slow for failing at once', async () => {
    const latency = createLatencyTracker({ laneWaitMsMax: 2_000, laneSlowRequestsMax: 1 });
    await expect(latency.track(Promise.reject(new Error('no')))).rejects.toThrow('no');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(latency.isSlow()).toBe(false);
  });
});
