/** Ledger entries by time. Their ids grow with time, so a range of times is a range of ids. */
import type { Connection } from '../../database/sqlite/connection.ts';

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

/** The exact times, and ids between which all entries of these times are. */
export interface EntryRange {
  from: number;
  until: number;
  idFrom: number;
  idUntil: number;
}

/** Returns the ids of a range of times. */
export function entryRangeOf(db: Connection, range: TimeRange): EntryRange {
  const from = range.from ?? 0;
  const until = range.until ?? Number.MAX_SAFE_INTEGER;
  const idFrom = firstIdSince(db, from - CLOCK_SLACK_MS);
  const idUntil =
    range.until === undefined ? Number.MAX_SAFE_INTEGER : firstIdSince(db, until + CLOCK_SLACK_MS);
  return { from, until, idFrom, idUntil };
}

/** Finds the first id at or after `time` by binary search: about twenty lookups. */
function firstIdSince(db: Connection, time: number): number {
  if (time <= 0) return 0;
  const readNext = db.prepare(
    'SELECT id, created_at AS createdAt FROM ledger_entries WHERE id >= ? ORDER BY id LIMIT 1',
  );
  let low = 0;
  let high = Number(db.prepare('SELECT max(id) FROM ledger_entries').pluck().get()) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const entry = readNext.get(middle) as { id: number; createdAt: number } | undefined;
    if (entry !== undefined && entry.createdAt < time) low = entry.id + 1;
    else high = middle;
  }
  return low;
}
