/** The threads that read the index. */
import type { Settings } from '../config.ts';
import type { IndexPlace } from '../index-source/open/index-place.ts';
import type { Log } from '../log.ts';
import { logDeath } from '../workers/pool.ts';
import { createSearchPool, type SearchPool } from '../workers/search-pool.ts';
import { createVerifyPool, type VerifyPool } from '../workers/verify-pool.ts';

/** Starts the threads that search and those that verify. Each opens the index for itself. */
export function openPools(
  { settings, log }: { settings: Settings; log: Log },
  store: IndexPlace,
): { pool: SearchPool; verifyPool: VerifyPool } {
  const { searchThreads, verifyThreads, inFlightMax, searchBatchMax } = settings;
  const onThreadDied = logDeath(log);
  return {
    pool: createSearchPool(
      { store, model: settings.model, limits: settings },
      {
        threads: searchThreads,
        queueMax: inFlightMax + searchThreads,
        batchMax: searchBatchMax,
        onThreadDied,
      },
    ),
    verifyPool: createVerifyPool(
      { store, limits: settings },
      { threads: verifyThreads, queueMax: inFlightMax, onThreadDied },
    ),
  };
}
