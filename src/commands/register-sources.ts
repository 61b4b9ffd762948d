/** Where the metrics of the service are read from. */
import type { RunningFallback } from '../fallback/start-fallback.ts';
import type { ServiceDeps } from '../http/service-deps.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import type { SearchPool } from '../workers/search-pool.ts';
import type { IndexReaders } from './index-readers.ts';

/** What is measured. */
export interface Measured {
  deps: ServiceDeps;
  pool: SearchPool;
  fallback: RunningFallback | undefined;
  indexReaders: Pick<IndexReaders, 'lastBuildAt'>;
  database: string;
}

/** Names the parts of the service that the metrics are read from. */
export function registerSources(
  metrics: Metrics,
  { deps, pool, fallback, indexReaders, database }: Measured,
): void {
  const { ledger, searchLimiter, settings } = deps;
  metrics.register({
    version: deps.version,
    modelName: deps.modelName,
    isReady: () => deps.state() === 'ok' && ledger.fault() === undefined,
    ledger,
    pools: () => ({
      search: pool.counts(),
      ledger: ledger.counts().pool,
      ...(fallback && { lanes: fallback.counts().pool }),
    }),
    queues: () => {
      const { waiting, pending } = ledger.counts();
      const learning = fallback?.counts().learning ?? 0;
      return { searches: pool.waiting(), ledger: waiting, outcomes: pending, learning };
    },
    searchesInFlight: () => searchLimiter.inFlight(),
    inFlightMax: settings.inFlightMax,
    storedAnswers: deps.storedAnswers.totals,
    laneStates: () => deps.lanes?.states() ?? [],
    database,
    totals: deps.totals,
    lastBuildAt: indexReaders.lastBuildAt,
  });
}
