/** Where the metrics of the service are read from. */

import type { DamageRegister } from '../database/damage/damage-register.ts';
import { readLastBackup } from '../database/sqlite/last-backup.ts';
import { readiness } from '../http/health-endpoint.ts';
import type { ServiceDeps } from '../http/service-deps.ts';
import type { TlsIdentity } from '../http/tls-identity.ts';
import type { IndexFigures } from '../index/ports/index-source.ts';
import type { RunningFallback } from '../lanes/start-fallback.ts';
import type { Metrics } from '../metrics/create-metrics.ts';
import type { SearchPool } from '../search/threads/search-pool.ts';
import type { Settings } from '../settings/config.ts';
import type { Source } from '../sources/ports/source.ts';
import type { ServedAccounts } from './open-accounts.ts';

/** What is measured. */
export interface Measured {
  deps: ServiceDeps;
  damage: DamageRegister;
  accountStore: ServedAccounts;
  pool: SearchPool;
  fallback: RunningFallback | undefined;
  index: { figures: Pick<IndexFigures, 'lastBuildAt' | 'sources'> };
  /** The certificate in use. */
  certificate: () => TlsIdentity | undefined;
  settings: Pick<Settings, 'database' | 'inFlightMax'>;
}

/** Names the parts of the service that the metrics are read from. */
export function registerSources(
  metrics: Metrics,
  { deps, damage, accountStore, pool, fallback, index, certificate, settings }: Measured,
): void {
  metrics.register({
    version: deps.version,
    modelName: deps.modelName,
    isReady: async () => (await readiness(deps)).status === 200,
    store: accountStore,
    pools: () => ({
      search: pool.counts(),
      ledger: accountStore.threadCounts(),
      ...(fallback && { lanes: fallback.counts().pool }),
    }),
    queues: () => {
      const { waiting, pending } = accountStore.counts();
      const learning = fallback?.counts().learning ?? 0;
      return { searches: pool.waiting(), ledger: waiting, outcomes: pending, learning };
    },
    searchesInFlight: () => deps.searchLimiter.inFlight(),
    inFlightMax: settings.inFlightMax,
    laneStates: () => deps.lanes?.states() ?? [],
    database: settings.database,
    damage: damage.all,
    lastCheck: damage.lastCheck,
    documentsLeftOut: damage.documentsLeftOut,
    lastBackup: () => readLastBackup(settings.database),
    certificateEnd: () => certificate()?.validTo,
    totals: deps.totals,
    lastBuildAt: index.figures.lastBuildAt,
    fetchedSources: () => index.figures.sources<Source>(),
  });
}
