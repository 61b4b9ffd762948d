/** Rows by time. Their ids grow with time, so a range of times is a range of ids. */
import { queryFirst, type Sql } from '../../database/sql/sql.ts';

/**
 * Ids grow with time, up to the differences between the clocks of several processes. Time bounds
 * become id bounds widened by this slack, and the exact times are compared within them.
 */
const CLOCK_SLACK_MS = 3_600_000;

export interface TimeRange {
  /** The earliest time, inclusive. */
  from?: number | undefined;
  /** The latest time, exclusive. */
  until?: number | undefined;
}

/** The exact times, and ids between which all rows of these times are. */
export interface IdRange {
  from: number;
  until: number;
  idFrom: number;
  idUntil: number;
}

/** The tables whose ids grow with `created_at`. */
type TimedTable = 'ledger_entries' | 'requests';

/** Returns the ids of a range of times. */
export function* idRangeOf(table: TimedTable, range: TimeRange): Sql<IdRange> {
  const from = range.from ?? 0;
  const until = range.until ?? Number.MAX_SAFE_INTEGER;
  const idFrom = yield* firstIdSince(table, from - CLOCK_SLACK_MS);
  const idUntil =
    range.until === undefined
      ? Number.MAX_SAFE_INTEGER
      : yield* firstIdSince(table, until + CLOCK_SLACK_MS);
  return { from, until, idFrom, idUntil };
}

/** Finds the first id at or after `time` by binary search: about twenty lookups. */
function* firstIdSince(table: TimedTable, time: number): Sql<number> {
  if (time <= 0) return 0;
  const newest = yield* queryFirst<{ id: number }>(
    `SELECT id FROM ${table} ORDER BY id DESC LIMIT 1`,
  );
  let low = 0;
  let high = (newest?.id ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const entry = yield* queryFirst<{ id: number; createdAt: number }>(
      `SELECT id, created_at AS "createdAt" FROM ${table} WHERE id >= $1 ORDER BY id LIMIT 1`,
      [middle],
    );
    if (entry !== undefined && entry.createdAt < time) low = entry.id + 1;
    else high = middle;
  }
  return low;
}
