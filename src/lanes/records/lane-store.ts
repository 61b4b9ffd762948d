/**
 * The tables of lanes, over a connection that does not wait for locks: while another connection
 * writes, writes are postponed. A power failure may lose the latest ones, because commits are not
 * synced to the disk. Lanes can be asked again; the commits of the ledger are synced on their own
 * connection.
 */

import { openExistingStore } from '../../database/open.ts';
import type { OpenOptions } from '../../database/sqlite/connect.ts';
import { createLaneCache, type LaneCache, type LaneCacheLimits } from './lane-cache.ts';
import { createLaneRecords, type LocalRecords, type ProviderRecords } from './lane-records.ts';

/** What the processes that ask the same providers share. */
export interface LaneStore {
  cache: LaneCache;
  records: ProviderRecords;
  close(): void | Promise<void>;
}

/** The tables in a file. */
export interface LocalLaneStore extends LaneStore {
  records: LocalRecords;
  close(): void;
}

/**
 * Opens the tables in an existing database. `now`: in milliseconds since 1970. `onFailure` receives what
 * no caller hears of: why something could not be read or written.
 */
export function openLaneStore(
  store: OpenOptions,
  limits: LaneCacheLimits,
  now: () => number = Date.now,
  onFailure: (error: unknown) => void = () => {},
): LocalLaneStore {
  const db = openExistingStore(store);
  db.pragma('busy_timeout = 0');
  db.pragma('synchronous = NORMAL');
  // A checkpoint takes long, so it is left to connections that may wait.
  db.pragma('wal_autocheckpoint = 0');
  const cache = createLaneCache(db, limits, now, onFailure);
  const records = createLaneRecords(db, limits, now, onFailure);
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
