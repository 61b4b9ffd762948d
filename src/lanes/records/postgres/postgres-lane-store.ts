/** What fallback lanes share on PostgreSQL, so that all nodes together stay within the limits. */

import { openMigrated } from '../../../database/postgres/migrations/migrate-postgres.ts';
import type { DatabaseOptions } from '../../../database/postgres/postgres-database.ts';
import { every } from '../../../workers/every.ts';
import type { LaneStore } from '../lane-store.ts';
import { createSharedCache, type SharedCacheLimits } from './postgres-lane-cache.ts';
import { createSharedRecords } from './postgres-lane-records.ts';

export interface SharedLaneLimits extends SharedCacheLimits {
  sharedLanesCheckMs: number;
}

/**
 * Connects, makes the tables if they are missing, and reads what other nodes know. `now`: in milliseconds
 * since 1970.
 */
export async function openSharedLaneStore(
  options: DatabaseOptions,
  limits: SharedLaneLimits,
  now: () => number = Date.now,
): Promise<LaneStore> {
  const database = await openMigrated(options);
  const records = createSharedRecords(database, { retryMs: limits.laneCacheRetryMs, now });
  // What fails now is tried again.
  const refresh = (): Promise<void> => records.refresh().catch(() => {});
  await refresh();
  const stop = every(limits.sharedLanesCheckMs, refresh);
  return {
    cache: createSharedCache(database, limits, now),
    records,
    async close() {
      stop();
      await refresh();
      await database.close();
    },
  };
}
