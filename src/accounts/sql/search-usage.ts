/** Usage by key and month, and by customer and day. */

import { query, queryFirst, type Sql } from '../../database/sql/sql.ts';
import type { ApiKey } from './api-keys.ts';
import { dayOf } from './calendar-month.ts';

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

/** A key's usage of a month, and its customer's balance. Both of one moment. */
export interface KeyAccount {
  usage: KeyUsage;
  balance: number;
}

const DAY_MS = 86_400_000;

/** Reads what a key has used in a month (`YYYY-MM`), and what its customer has left. */
export function* readKeyAccount(
  { id, customerId }: Pick<ApiKey, 'id' | 'customerId'>,
  { period }: { period: string },
): Sql<KeyAccount> {
  const found = yield* queryFirst<KeyUsage & { balance: number }>(
    `SELECT balance, coalesce(requests, 0) AS requests, coalesce(credits, 0) AS credits
     FROM customers LEFT JOIN usage ON key_id = $1 AND period = $2 WHERE customers.id = $3`,
    [id, period, customerId],
  );
  const { balance, ...usage } = found ?? { balance: 0, requests: 0, credits: 0 };
  return { usage, balance };
}

/** Returns the last days up to today, oldest first. */
export function daysUpTo(now: number, days: number): string[] {
  return Array.from({ length: days }, (_, index) => dayOf(now - (days - 1 - index) * DAY_MS));
}

/** Returns the last days up to today, oldest first, including days without a search. */
export function* usageByDay({
  customerId,
  days,
  now,
}: {
  customerId: number;
  days: number;
  now: number;
}): Sql<DayUsage[]> {
  const all = daysUpTo(now, days);
  // One row per key and day, so busy days cost no more.
  const rows = yield* query<DayUsage>(
    `SELECT day, CAST(sum(requests) AS bigint) AS requests, CAST(sum(credits) AS bigint) AS credits
     FROM api_keys JOIN usage_days ON key_id = api_keys.id
     WHERE customer_id = $1 AND day >= $2 GROUP BY day`,
    [customerId, all[0] ?? ''],
  );
  const used = new Map(rows.map((row) => [row.day, row]));
  return all.map((day) => used.get(day) ?? { day, requests: 0, credits: 0 });
}
