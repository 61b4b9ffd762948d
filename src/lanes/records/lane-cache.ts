/** A cache of responses of fallback lanes, with a time to live and a bound on entries and bytes. */
import type { Connection } from '../../database/sqlite/connection.ts';
import { createWriteLater } from '../../database/sqlite/write-later.ts';

/** Neither function throws, rejects, or waits for a lock. */
export interface LaneCache {
  /** Undefined if there is no entry, or it is too old, or a shared cache does not answer in time. */
  read(key: string): string | undefined | Promise<string | undefined>;
  /** An entry may be lost if the database cannot be written soon. */
  write(key: string, response: string): void;
}

export interface LaneCacheLimits {
  laneCacheAgeMsMax: number;
  laneCacheBytesMax: number;
  laneCacheEntriesMax: number;
  laneCachePendingMax: number;
  laneCacheRetryMs: number;
}

/** Entries that one write evicts at most, beyond those it adds. It runs on the event loop. */
const EVICTED_AT_ONCE_MAX = 64;

/**
 * `db`: a connection that does not wait for locks. `now`: in milliseconds since 1970. While another
 * connection writes, the newest entries wait in memory. `onFailure` receives why an entry could not be
 * read, or why entries were not written.
 */
export function createLaneCache(
  db: Connection,
  limits: LaneCacheLimits,
  now: () => number,
  onFailure: (error: unknown) => void,
): LaneCache & { close(): void } {
  const find = db
    .prepare('SELECT answer FROM lane_answers WHERE key = ? AND stored_at > ?')
    .pluck();
  const put = prepareWrite(db, limits);
  const pending = new Map<string, string>();
  const later = createWriteLater(
    {
      isEmpty: () => pending.size === 0,
      write: () => put(pending, now()),
      clear: () => pending.clear(),
    },
    limits.laneCacheRetryMs,
    onFailure,
  );
  return {
    read(key) {
      const waiting = pending.get(key);
      if (waiting !== undefined) return waiting;
      try {
        return find.get(key, now() - limits.laneCacheAgeMsMax) as string | undefined;
      } catch (error) {
        // The provider is asked instead.
        onFailure(error);
        return undefined;
      }
    },
    write(key, response) {
      pending.set(key, response);
      for (const oldest of pending.keys()) {
        if (pending.size <= limits.laneCachePendingMax) break;
        pending.delete(oldest);
      }
      later.flush();
    },
    close: () => later.close(),
  };
}

/** Returns a function that writes entries and evicts the oldest, in one transaction. */
function prepareWrite(db: Connection, limits: LaneCacheLimits) {
  const put = db.prepare(
    `INSERT INTO lane_answers VALUES (?, ?, ?, ?)
     ON CONFLICT (key) DO UPDATE
     SET answer = excluded.answer, bytes = excluded.bytes, stored_at = excluded.stored_at`,
  );
  const totals = db.prepare('SELECT entries, bytes FROM lane_answer_totals WHERE id = 1');
  const oldest = db.prepare(
    'SELECT rowid, bytes, stored_at AS storedAt FROM lane_answers ORDER BY stored_at, rowid LIMIT 1',
  );
  const evict = db.prepare('DELETE FROM lane_answers WHERE rowid = ?');
  const evictOldest = (now: number): boolean => {
    const { entries, bytes } = totals.get() as { entries: number; bytes: number };
    const first = oldest.get() as { rowid: number; storedAt: number } | undefined;
    if (first === undefined) return false;
    const isTooMuch = entries > limits.laneCacheEntriesMax || bytes > limits.laneCacheBytesMax;
    if (!isTooMuch && first.storedAt > now - limits.laneCacheAgeMsMax) return false;
    evict.run(first.rowid);
    return true;
  };
  return db.transaction((responses: ReadonlyMap<string, string>, now: number) => {
    for (const [key, response] of responses) {
      put.run(key, response, Buffer.byteLength(response), now);
    }
    let left = EVICTED_AT_ONCE_MAX + responses.size;
    while (left > 0 && evictOldest(now)) left--;
  }).immediate;
}
