/** The samples of a server: what they count, what a restart keeps, and what a damaged file does. */
import { describe, expect, it } from 'vitest';
import type { StoredSample } from '../../src/accounts/sql/server-samples.ts';
import { createMetrics } from '../../src/metrics/create-metrics.ts';
import { createServerHistory } from '../../src/metrics/server-history.ts';
import { latencyOf, readSample } from '../../src/metrics/server-sample.ts';
import { fakeSources } from './fake-sources.ts';

const HOUR_MS = 3_600_000;

/** A history on a clock and a store of its own. Nothing is sampled by time. */
function createWorld({ stored = [] as StoredSample[], samplesMax = 3 } = {}) {
  const metrics = createMetrics();
  metrics.register(fakeSources);
  const failures: unknown[] = [];
  const clock = { now: Date.UTC(2026, 2, 14, 12) };
  const store = {
    isBroken: false,
    kept: [...stored],
    list: (since: number) => store.kept.filter(({ endedAt }) => endedAt >= since),
    async add({ before, ...sample }: StoredSample & { before: number }) {
      if (store.isBroken) throw new Error('no disk');
      store.kept = [...store.kept, sample].filter(({ endedAt }) => endedAt >= before);
    },
  };
  const open = () => {
    const history = createServerHistory({
      read: metrics.read,
      store,
      historyStepMs: HOUR_MS,
      historySamplesMax: samplesMax,
      now: () => clock.now,
      onFailure: (error) => failures.push(error),
    });
    history.close();
    return history;
  };
  return { metrics, store, clock, failures, open };
}

describe('a sample', () => {
  it('counts what happened since the one before', async () => {
    const { metrics, clock, open } = createWorld();
    const history = open();
    const search = (milliseconds: number) => metrics.observer.searched(milliseconds, {});
    const respond = (status: number) =>
      metrics.observer.responded({ route: '/v1/search', status, sent: true, milliseconds: 3 });
    search(4);
    await history.sample();
    clock.now += 60_000;
    for (const milliseconds of [4, 4, 90, 60_000]) search(milliseconds);
    for (const status of [200, 401, 429, 500]) respond(status);
    await history.sample();
    expect(history.samples()).toMatchObject([
      { searches: 1, latencies: { '0.005': 1 }, refused: 0 },
      {
        endedAt: clock.now,
        searches: 4,
        latencies: { '0.005': 2, '0.1': 1, '+Inf': 1 },
        refused: 2,
        failed: 1,
        waiting: 0,
        searchesInFlight: 2,
      },
    ]);
    expect(history.samples()[1]?.memoryBytes).toBeGreaterThan(1_000_000);
  });

  it('is kept for the next start, as many as are allowed', async () => {
    const { metrics, clock, store, open } = createWorld();
    const first = open();
    for (const searches of [1, 2, 3, 4]) {
      for (let i = 0; i < searches; i++) metrics.observer.searched(5, {});
      clock.now += HOUR_MS;
      await first.sample();
    }
    const counts = (history: typeof first) => history.samples().map(({ searches }) => searches);
    expect(counts(first)).toEqual([2, 3, 4]);
    expect(counts(open())).toEqual([2, 3, 4]);
    expect(store.kept).toHaveLength(4);
    clock.now += 2 * HOUR_MS;
    expect(counts(open())).toEqual([3, 4]);
  });

  it('stays in memory if it cannot be stored', async () => {
    const { store, failures, open } = createWorld();
    store.isBroken = true;
    const history = open();
    await history.sample();
    expect(history.samples()).toHaveLength(1);
    expect(failures).toMatchObject([{ message: 'no disk' }]);
  });

  it('of another version counts as nothing where it says something else', () => {
    const numbers = JSON.stringify({ searches: 'many', failed: 3, latencies: null, more: 1 });
    expect(readSample(7, numbers)).toEqual({
      ...readSample(7, '{}'),
      failed: 3,
    });
  });

  it('that cannot be read does not keep the server from starting', () => {
    const { clock, failures, open, store } = createWorld();
    store.kept = [{ endedAt: clock.now, numbers: 'torn' }];
    expect(open().samples()).toEqual([]);
    expect(failures).toHaveLength(1);
  });
});

describe('the numbers', () => {
  it('are of the time since a sample that is old enough', async () => {
    const { metrics, clock, open } = createWorld();
    const history = open();
    await history.sample();
    clock.now += 20_000;
    for (let i = 0; i < 40; i++) metrics.observer.searched(5, {});
    expect(await history.numbers()).toMatchObject({ intervalSeconds: 20, searchesPerSecond: 2 });
    await history.sample();
    clock.now += 5_000;
    expect(await history.numbers()).toMatchObject({ intervalSeconds: 25 });
  });
});

describe('the latency of several samples', () => {
  const sample = (latencies: Record<string, number>) => ({ ...readSample(0, '{}'), latencies });

  it('is a quantile of all their searches', () => {
    const samples = [sample({ '0.01': 90 }), sample({ '0.05': 10 })];
    expect(latencyOf(0.5, samples)).toBeLessThanOrEqual(10);
    expect(latencyOf(0.99, samples)).toBeGreaterThan(20);
    expect(latencyOf(0.99, samples)).toBeLessThanOrEqual(50);
  });

  it('is undefined without a search', () => {
    expect(latencyOf(0.5, [sample({})])).toBeUndefined();
  });
});
