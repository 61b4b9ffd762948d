/**
 * What lanes keep in the database, over a connection that waits for nobody: what cannot be written
 * as another connection writes is written later. What a power cut takes of it can be asked for
 * again, so a commit is not forced to the disk; the commits of the ledger force their own.
 */

import type { OpenOptions } from '../database/open.ts';
import { openExistingStore } from '../open.ts';
import { createLaneCache, type LaneCache, type LaneCacheLimits } from './lane-cache.ts';
import { createLaneRecords, type ProviderRecords } from './lane-records.ts';

export interface LaneStore {
  cache: LaneCache;
  records: ProviderRecords;
  close(): void;
}

/** Opens it in a database that is there. `now` in milliseconds since 1970. */
export function openLaneStore(
  store: OpenOptions,
  limits: LaneCacheLimits,
  now: () => number = Date.now,
): LaneStore {
  const db = openExistingStore(store);
  db.pragma('busy_timeout = 0');
  db.pragma('synchronous = NORMAL');
  // Moving the log into the file takes long, and is left to connections that may wait.
  db.pragma('wal_autocheckpoint = 0');
  const cache = createLaneCache(db, limits, now);
  const records = createLaneRecords(db, limits, now);
  return {
    cache,
    records,
    close() {
      cache.close();
      records.close();
      db.close();
    },
  };
}
