/** Usage by key and month, and by customer and day. */

import type { Connection } from '../../database/sqlite/connection.ts';
import { dayOf } from './ledger.ts';

export interface KeyUsage {
  /** Searches served. */
  requests: number;
  /** Their cost, net of refunds. */
  credits: number;
}

export interface DayUsage extends KeyUsage {
  /** In UTC, YYYY-MM-DD. */
  day: string;
}

const DAY_MS = 86_400_000;

/** Returns a function that reads what a key has used in a month. */
export function createUsageReader(db: Connection): (keyId: number, period: string) => KeyUsage {
  const read = db.prepare('SELECT requests, credits FROM usage WHERE key_id = ? AND period = ?');
  return (keyId, period) =>
    (read.get(keyId, period) as KeyUsage | undefined) ?? { requests: 0, credits: 0 };
}

/** Returns the last days up to today, oldest first. */
export function daysUpTo(now: number, days: number): string[] {
  return Array.from({ length: days }, (_, index) => dayOf(now - (days - 1 - index) * DAY_MS));
}

/** Returns the last days up to today, oldest first, including days without a search. */
export function usageByDay(
  db: Connection,
  { customerId, days, now }: { customerId: number; days: number; now: number },
): DayUsage[] {
  const all = daysUpTo(now, days);
  // One row per key and day, so busy days cost no more.
  const rows = db
    .prepare(
      `SELECT day, sum(requests) AS requests, sum(credits) AS credits
       FROM api_keys JOIN usage_days ON key_id = api_keys.id
       WHERE customer_id = ? AND day >= ? GROUP BY day`,
    )
    .all(customerId, all[0]) as DayUsage[];
  const used = new Map(rows.map((row) => [row.day, row]));
  return all.map((day) => used.get(day) ?? { day, requests: 0, credits: 0 });
}
