/** What customers read on PostgreSQL. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import type {
  ActivityLine,
  ActivityPage,
  ActivityRequest,
  ActivityTotal,
  PageStart,
} from '../sql/activity-rows.ts';
import { dayOf } from '../sql/ledger.ts';
import type { LedgerPage, LedgerPageEntry, LedgerPageRequest } from '../sql/ledger-pages.ts';
import { type DayUsage, daysUpTo } from '../sql/search-usage.ts';
import {
  collectUsage,
  type UsageDetails,
  type UsageRange,
  type UsageRows,
} from '../sql/usage-details.ts';

const MAX = Number.MAX_SAFE_INTEGER;
const DAY_MS = 86_400_000;

/** Reads a page of lines, newest first. */
export async function readActivityPage(
  { query }: Queries,
  request: ActivityRequest & { start: PageStart; linesMax: number },
): Promise<ActivityPage> {
  const { customerId, kind, outcome, keyId, from, until, start, linesMax } = request;
  const isForward = start !== undefined && 'after' in start;
  const above = isForward ? start.after : -1;
  const below = start !== undefined && 'before' in start ? start.before : MAX;
  const rows = await query<ActivityLine>(
    `SELECT a.id, a.kind, a.outcome, a.credits, a.created_at AS "createdAt",
       api_keys.name AS "keyName", api_keys.prefix AS "keyPrefix", e.request_id AS "requestId",
       e.reference, e.note
     FROM activity a JOIN ledger_entries e ON e.id = a.id
     LEFT JOIN api_keys ON api_keys.id = a.key_id
     WHERE a.customer_id = $1 AND a.id > $2 AND a.id < $3
       AND a.created_at >= $4 AND a.created_at < $5
       AND ($6::bigint IS NULL OR a.key_id = $6) AND ($7::text IS NULL OR a.kind = $7)
       AND ($8::text IS NULL OR a.outcome = $8)
     ORDER BY a.id ${isForward ? 'ASC' : 'DESC'} LIMIT $9`,
    [
      ...[customerId, above, below, from ?? 0, until ?? MAX, keyId ?? null, kind ?? null],
      ...[outcome ?? null, linesMax + 1],
    ],
  );
  const lines = rows.slice(0, linesMax);
  const hasMore = rows.length > linesMax;
  if (isForward) lines.reverse();
  return {
    lines,
    hasNewer: isForward ? hasMore : start !== undefined,
    hasOlder: isForward || hasMore,
  };
}

/** Counts all lines of a filter whose times are the starts of days. */
export async function countActivity(
  { query }: Queries,
  { customerId, kind, outcome, keyId, from, until }: ActivityRequest,
): Promise<ActivityTotal[]> {
  return await query(
    `SELECT outcome, sum(lines)::bigint AS lines, sum(credits)::bigint AS credits
     FROM activity_days
     WHERE customer_id = $1 AND day >= $2 AND day <= $3
       AND ($4::bigint IS NULL OR key_id = $4) AND ($5::text IS NULL OR kind = $5)
       AND ($6::text IS NULL OR outcome = $6)
     GROUP BY outcome HAVING sum(lines) > 0`,
    [
      ...[customerId, from === undefined ? '' : dayOf(from)],
      ...[until === undefined ? '9999' : dayOf(until - DAY_MS), keyId ?? null],
      ...[kind ?? null, outcome ?? null],
    ],
  );
}

/** Reads a page of ledger entries, newest first. */
export async function readLedgerPage(
  { query }: Queries,
  request: LedgerPageRequest,
): Promise<LedgerPage> {
  const { customerId, keyPrefix, kinds, entriesMax, before, from, until } = request;
  const entries = await query<LedgerPageEntry>(
    `SELECT e.id, e.kind, e.credits, e.balance, e.request_id AS "requestId", e.reference, e.note,
       e.created_at AS "createdAt", api_keys.prefix AS "keyPrefix", api_keys.name AS "keyName",
       (SELECT created_at FROM ledger_entries r
        WHERE r.request_id = e.request_id AND r.kind = 'refund') AS "refundedAt"
     FROM ledger_entries e LEFT JOIN api_keys ON api_keys.id = e.key_id
     WHERE e.customer_id = $1 AND e.id < $2 AND e.created_at >= $3 AND e.created_at < $4
       AND ($5::text IS NULL OR api_keys.prefix = $5)
       AND ($6::text[] IS NULL OR e.kind = ANY ($6))
     ORDER BY e.id DESC LIMIT $7`,
    [
      ...[customerId, before ?? MAX, from ?? 0, until ?? MAX, keyPrefix ?? null],
      kinds ? [...kinds] : null,
      entriesMax + 1,
    ],
  );
  const next = entries.length > entriesMax ? entries[entriesMax - 1]?.id : undefined;
  return { entries: entries.slice(0, entriesMax), next };
}

/** Returns the last days up to today, oldest first, including days without a search. */
export async function usageByDay(
  { query }: Queries,
  { customerId, days, now }: { customerId: number; days: number; now: number },
): Promise<DayUsage[]> {
  const all = daysUpTo(now, days);
  const rows = await query<DayUsage>(
    `SELECT day, sum(requests)::bigint AS requests, sum(credits)::bigint AS credits
     FROM api_keys JOIN usage_days ON key_id = api_keys.id
     WHERE customer_id = $1 AND day >= $2 GROUP BY day`,
    [customerId, all[0] ?? ''],
  );
  const used = new Map(rows.map((row) => [row.day, row]));
  return all.map((day) => used.get(day) ?? { day, requests: 0, credits: 0 });
}

/** Reads the usage of each day or of each key that has some. */
export async function readUsageDetails(
  { query }: Queries,
  { customerId, keyId, firstDay, lastDay }: UsageRange,
  by: 'day' | 'key_id',
): Promise<Map<string, UsageDetails>> {
  const values = [customerId, firstDay, lastDay, keyId ?? null];
  const days = 'day >= $2 AND day <= $3 AND ($4::bigint IS NULL OR key_id = $4)';
  const ofOwner = `JOIN api_keys ON api_keys.id = key_id WHERE api_keys.customer_id = $1 AND ${days}`;
  const rowsOf = async <Table extends keyof UsageRows>(sql: string): Promise<UsageRows[Table]> =>
    (await query(sql, values)) as UsageRows[Table];
  return collectUsage({
    used: await rowsOf<'used'>(
      `SELECT ${by} AS name, sum(requests)::bigint AS requests, sum(credits)::bigint AS credits
       FROM usage_days ${ofOwner} GROUP BY ${by}`,
    ),
    failed: await rowsOf<'failed'>(
      `SELECT ${by} AS name, sum(lines)::bigint AS lines FROM activity_days
       WHERE customer_id = $1 AND ${days} AND outcome = 'free'
       GROUP BY ${by} HAVING sum(lines) > 0`,
    ),
    latencies: await rowsOf<'latencies'>(
      `SELECT ${by} AS name, bound_ms AS "boundMs", sum(calls)::bigint AS calls
       FROM latency_days ${ofOwner} GROUP BY ${by}, bound_ms ORDER BY bound_ms`,
    ),
    lanes: await rowsOf<'lanes'>(
      `SELECT ${by} AS name, lane, sum(calls)::bigint AS calls
       FROM lane_days ${ofOwner} GROUP BY ${by}, lane`,
    ),
  });
}
