/** Where the metrics of the service are read from. */
import type { RunningFallback } from '../fallback/start-fallback.ts';
import type { ServiceDeps } from '../http/service-deps.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import type { Connection } from '../store/database/connection.ts';
import { createLastBuildReader } from '../store/index/records/builds.ts';
import type { SearchPool } from '../workers/search-pool.ts';
import type { ServedAccounts } from './open-accounts.ts';

/** What is measured. */
export interface Measured {
  deps: ServiceDeps;
  accounts: ServedAccounts;
  pool: SearchPool;
  fallback: RunningFallback | undefined;
  db: Connection;
  database: string;
}

/** Names the parts of the service that the metrics are read from. */
export function registerSources(
  metrics: Metrics,
  { deps, accounts, pool, fallback, db, database }: Measured,
): void {
  const { searchLimiter, settings } = deps;
  metrics.register({
    version: deps.version,
    modelName: deps.modelName,
    isReady: () => deps.state() === 'ok' && accounts.fault() === undefined,
    store: accounts,
    pools: () => ({
      search: pool.counts(),
      ledger: accounts.threadCounts(),
      ...(fallback && { lanes: fallback.counts().pool }),
    }),
    queues: () => {
      const { waiting, pending } = accounts.counts();
      const learning = fallback?.counts().learning ?? 0;
      return { searches: pool.waiting(), ledger: waiting, outcomes: pending, learning };
    },
    searchesInFlight: () => searchLimiter.inFlight(),
    inFlightMax: settings.inFlightMax,
    laneStates: () => deps.lanes?.states() ?? [],
    database,
    totals: deps.totals,
    lastBuildAt: createLastBuildReader(db),
  });
}
