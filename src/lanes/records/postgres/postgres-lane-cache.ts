/** A cache of responses of fallback lanes on PostgreSQL, which all nodes share. */

import type { Queries } from '../../../database/postgres/postgres-database.ts';
import type { LaneCache, LaneCacheLimits } from '../lane-cache.ts';

export interface SharedCacheLimits extends LaneCacheLimits {
  sharedLanesWaitMs: number;
}

/** A process evicts after so many writes, so the bounds are exceeded by no more than that. */
const EVICTED_EVERY = 64;

/** `now`: in milliseconds since 1970. */
export function createSharedCache(
  { query }: Queries,
  limits: SharedCacheLimits,
  now: () => number,
): LaneCache {
  let writing = 0;
  let writes = 0;
  const evict = async (): Promise<void> => {
    await query(
      `DELETE FROM lane_answers WHERE stored_at <= $1 OR key IN (
         SELECT key FROM (SELECT key, row_number() OVER newest AS place, sum(bytes) OVER newest AS total
           FROM lane_answers WINDOW newest AS (ORDER BY stored_at DESC, key)) AS kept
         WHERE place > $2 OR total > $3)`,
      [now() - limits.laneCacheAgeMsMax, limits.laneCacheEntriesMax, limits.laneCacheBytesMax],
    );
  };
  const put = async (key: string, response: string): Promise<void> => {
    await query(
      `INSERT INTO lane_answers VALUES ($1, $2, $3, $4) ON CONFLICT (key) DO UPDATE
         SET answer = excluded.answer, bytes = excluded.bytes, stored_at = excluded.stored_at`,
      [key, response, Buffer.byteLength(response), now()],
    );
    if (++writes % EVICTED_EVERY === 0) await evict();
  };
  return {
    async read(key) {
      const reading = query<{ answer: string }>(
        'SELECT answer FROM lane_answers WHERE key = $1 AND stored_at > $2',
        [key, now() - limits.laneCacheAgeMsMax],
      );
      // Without an answer, the provider is asked instead.
      const found = reading.then(
        ([row]) => row?.answer,
        () => undefined,
      );
      return await inTime(found, limits.sharedLanesWaitMs);
    },
    write(key, response) {
      if (writing >= limits.laneCachePendingMax) return;
      writing++;
      const written = put(key, response).catch(() => {});
      void written.finally(() => writing--);
    },
  };
}

/** The result, or undefined when the time is up. */
async function inTime<Result>(
  result: Promise<Result>,
  waitMs: number,
): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), waitMs);
  });
  return await Promise.race([result, timeUp]).finally(() => clearTimeout(timer));
}
