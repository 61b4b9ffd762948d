/**
 * Answers of fallback lanes, kept for a while. It has a connection of its own that waits for
 * nobody: while another one writes, answers wait in memory, and the oldest are dropped before
 * there are too many. What a power cut takes of it can be asked for again, so a commit is not
 * forced to the disk; the commits of the ledger force their own.
 */
import { isBusy, type OpenOptions, openStore, type Store } from './open.ts';

export interface StoredLaneCache {
  read(key: string): string | undefined;
  write(key: string, answer: string): void;
  close(): void;
}

export interface LaneCacheLimits {
  laneCacheAgeMsMax: number;
  laneCacheBytesMax: number;
  laneCacheEntriesMax: number;
  laneCachePendingMax: number;
  laneCacheRetryMs: number;
}

/** Opens the cache in a database whose tables are there. `now` in milliseconds since 1970. */
export function openLaneCache(
  store: OpenOptions,
  limits: LaneCacheLimits,
  now: () => number = Date.now,
): StoredLaneCache {
  const db = openStore(store);
  db.pragma('busy_timeout = 0');
  db.pragma('synchronous = NORMAL');
  // Moving the log into the file takes long, and is left to connections that may wait.
  db.pragma('wal_autocheckpoint = 0');
  const find = db
    .prepare('SELECT answer FROM lane_answers WHERE key = ? AND stored_at > ?')
    .pluck();
  const put = prepareWrite(db, limits);
  const pending = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;

  const flush = (): void => {
    clearTimeout(timer);
    if (pending.size === 0) return;
    try {
      put(pending, now());
      pending.clear();
    } catch (error) {
      if (!isBusy(error)) {
        // A full disk or a damaged table is no reason to fail a search.
        pending.clear();
        return;
      }
      timer = setTimeout(flush, limits.laneCacheRetryMs).unref();
    }
  };

  return {
    read(key) {
      const waiting = pending.get(key);
      if (waiting !== undefined) return waiting;
      try {
        return find.get(key, now() - limits.laneCacheAgeMsMax) as string | undefined;
      } catch {
        // The provider is asked instead.
        return undefined;
      }
    },
    write(key, answer) {
      pending.set(key, answer);
      for (const oldest of pending.keys()) {
        if (pending.size <= limits.laneCachePendingMax) break;
        pending.delete(oldest);
      }
      flush();
    },
    close() {
      flush();
      clearTimeout(timer);
      db.close();
    },
  };
}

/** Returns a function that writes answers and drops what is too old or too much, all at once. */
function prepareWrite(db: Store, limits: LaneCacheLimits) {
  const insert = db.prepare('INSERT OR REPLACE INTO lane_answers VALUES (?, ?, ?, ?)');
  const dropOld = db.prepare('DELETE FROM lane_answers WHERE stored_at <= ?');
  const totals = db.prepare('SELECT count(*) AS entries, total(bytes) AS bytes FROM lane_answers');
  const dropOldest = db
    .prepare(
      `DELETE FROM lane_answers
       WHERE rowid = (SELECT rowid FROM lane_answers ORDER BY stored_at, rowid LIMIT 1)
       RETURNING bytes`,
    )
    .pluck();
  return db.transaction((answers: ReadonlyMap<string, string>, now: number) => {
    for (const [key, answer] of answers) {
      insert.run(key, answer, Buffer.byteLength(answer), now);
    }
    dropOld.run(now - limits.laneCacheAgeMsMax);
    let { entries, bytes } = totals.get() as { entries: number; bytes: number };
    while (entries > limits.laneCacheEntriesMax || bytes > limits.laneCacheBytesMax) {
      bytes -= Number(dropOldest.get());
      entries--;
    }
  }).immediate;
}
