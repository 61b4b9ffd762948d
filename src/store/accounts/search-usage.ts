/** What keys have used in a month (specification 2.4), and a customer day by day. */

import type { Connection } from '../database/connection.ts';
import { dayOf } from './ledger.ts';

export interface KeyUsage {
  /** Searches served. */
  requests: number;
  /** What they cost, net of refunds. */
  credits: number;
}

export interface DayUsage extends KeyUsage {
  /** In UTC, YYYY-MM-DD. */
  day: string;
}

const DAY_MS = 86_400_000;

export function readUsage(db: Connection, keyId: number, period: string): KeyUsage {
  const row = db
    .prepare('SELECT requests, credits FROM usage WHERE key_id = ? AND period = ?')
    .get(keyId, period) as KeyUsage | undefined;
  return row ?? { requests: 0, credits: 0 };
}

/** The last days up to today, one entry each, days without a search too; oldest first. */
export function usageByDay(
  db: Connection,
  { customerId, days, now }: { customerId: number; days: number; now: number },
): DayUsage[] {
  const all = Array.from({ length: days }, (_, index) => dayOf(now - (days - 1 - index) * DAY_MS));
  // A row a key and day: what a day has had never makes it slower.
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
