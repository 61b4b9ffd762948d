/** Answers of fallback lanes, kept for a while. */
import type { Connection } from '../database/connection.ts';
import { createWriteLater } from '../database/write-later.ts';

export interface LaneCache {
  read(key: string): string | undefined;
  /** Keeps an answer; while another connection writes, it waits in memory with the newest others. */
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

/** Answers that one write drops at most, besides as many as it adds: it is on the event loop. */
const DROPPED_AT_ONCE_MAX = 64;

/** On a connection that waits for no lock. `now` in milliseconds since 1970. */
export function createLaneCache(
  db: Connection,
  limits: LaneCacheLimits,
  now: () => number,
): LaneCache {
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
  );
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
      later.flush();
    },
    close: () => later.close(),
  };
}

/** Returns a function that writes answers and drops what is too old or too much, all at once. */
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
  const drop = db.prepare('DELETE FROM lane_answers WHERE rowid = ?');
  const dropOldest = (now: number): boolean => {
    const { entries, bytes } = totals.get() as { entries: number; bytes: number };
    const first = oldest.get() as { rowid: number; storedAt: number } | undefined;
    if (first === undefined) return false;
    const isTooMuch = entries > limits.laneCacheEntriesMax || bytes > limits.laneCacheBytesMax;
    if (!isTooMuch && first.storedAt > now - limits.laneCacheAgeMsMax) return false;
    drop.run(first.rowid);
    return true;
  };
  return db.transaction((answers: ReadonlyMap<string, string>, now: number) => {
    for (const [key, answer] of answers) put.run(key, answer, Buffer.byteLength(answer), now);
    let left = DROPPED_AT_ONCE_MAX + answers.size;
    while (left > 0 && dropOldest(now)) left--;
  }).immediate;
}
