/** The threads that read the index. */
import type { Settings } from '../config.ts';
import type { IndexPlace } from '../index-source/open/index-place.ts';
import type { Log } from '../log.ts';
import type { DamageRegister } from '../store/damage/damage-register.ts';
import { noticing } from '../store/damage/notice-damage.ts';
import { INDEX } from '../store/damage/parts.ts';
import { logDeath } from '../workers/pool.ts';
import { createSearchPool, type SearchPool } from '../workers/search-pool.ts';
import { createVerifyPool, type VerifyPool } from '../workers/verify-pool.ts';

/** Starts the threads that search and those that verify. Each opens the index for itself. */
export function openPools(
  { settings, log, damage }: { settings: Settings; log: Log; damage: DamageRegister },
  store: IndexPlace,
): { pool: SearchPool; verifyPool: VerifyPool } {
  const { searchThreads, verifyThreads, inFlightMax, searchBatchMax } = settings;
  const watched = { onThreadDied: logDeath(log), onDamage: damage.report };
  const pool = createSearchPool(
    { store, model: settings.model, limits: settings },
    {
      threads: searchThreads,
      queueMax: inFlightMax + searchThreads,
      batchMax: searchBatchMax,
      ...watched,
    },
  );
  const verifyPool = createVerifyPool(
    { store, limits: settings },
    { threads: verifyThreads, queueMax: inFlightMax, ...watched },
  );
  const run = noticing(damage, INDEX, pool.run) as SearchPool['run'];
  return {
    pool: { ...pool, run },
    verifyPool: { ...verifyPool, run: noticing(damage, INDEX, verifyPool.run) },
  };
}
