/** A service that has a bit of everything, for the metrics that are read from it. */
import type { MetricsSources } from '../../src/metrics/create-metrics.ts';
import { activity } from '../lanes/fake-lanes.ts';

const pool = { threads: 1, tasks: 0, threadsDied: 0 };

export const fakeSources: MetricsSources = {
  version: '1.2.3',
  modelName: async () => 'paper',
  isReady: async () => true,
  pools: () => ({ search: pool, ledger: pool }),
  queues: () => ({ searches: 0, ledger: 0, outcomes: 0, learning: 0 }),
  searchesInFlight: () => 2,
  inFlightMax: 64,
  store: {
    fault: () => undefined,
    counts: () => ({
      holds: { held: 7, settled: 4, released: 1 },
      credits: { settled: 4, released: 1, bought: 500 },
      openHolds: 2,
      waiting: 0,
      pending: 0,
    }),
    readAnswerTotals: async () => ({ answers: 3, bytes: 4096 }),
  },
  documentsLeftOut: () => 0,
  laneStates: () => [
    {
      lane: 'arxiv',
      provider: 'arxiv',
      state: 'ok',
      retryAt: undefined,
      metrics: activity,
      requestsToday: 5,
    },
  ],
  database: import.meta.filename,
  damage: () => [{ part: 'usage_days', isBlocking: false, reason: 'page 7', noticedAt: 0 }],
  lastCheck: () => ({ endedAt: Date.UTC(2026, 2, 15), ms: 180_000, damagedParts: 1 }),
  lastBackup: () => ({ path: '/backups/a.db', at: Date.UTC(2026, 2, 15) }),
  certificateEnd: () => Date.UTC(2026, 5, 1),
  totals: async () => ({ documents: 2, sentences: 9 }),
  fetchedSources: async () => [],
  lastBuildAt: async () => Date.UTC(2026, 2, 14),
};
