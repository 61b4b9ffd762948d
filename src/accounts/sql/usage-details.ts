/** Usage of a customer in a range of days, by day or by key. */

import { query, type Sql } from '../../database/sql/sql.ts';
import type { Provenance } from '../../types.ts';
import { dayOf } from './calendar-month.ts';
import { NO_BOUND_MS } from './latency-bounds.ts';
import type { KeyUsage } from './search-usage.ts';

export interface UsageRange {
  customerId: number;
  /** Only this key; all if absent. */
  keyId?: number | undefined;
  /** In UTC, YYYY-MM-DD, both inclusive. */
  firstDay: string;
  lastDay: string;
}

/** Calls whose latency is at most `boundMs`, and above the next smaller bound. */
export interface LatencyBucket {
  /** Infinity for the last bucket. */
  boundMs: number;
  calls: number;
}

export interface UsageDetails extends KeyUsage {
  /** Requests that failed. */
  failed: number;
  /** By ascending bound, without empty buckets. */
  latencies: LatencyBucket[];
  /** The measured calls to which each lane contributed; `corpus`: those without any lane. */
  lanes: Partial<Record<Provenance, number>>;
}

/** What has no usage. */
export const noUsage: UsageDetails = {
  requests: 0,
  credits: 0,
  failed: 0,
  latencies: [],
  lanes: {},
};

/** Of a day or of a key. */
interface Named {
  name: string | number;
}

/** Reads the usage of each day (YYYY-MM-DD) or of each key (its id) that has some. */
export function* readUsageDetails(
  { customerId, keyId, firstDay, lastDay }: UsageRange,
  by: 'day' | 'key_id',
): Sql<Map<string, UsageDetails>> {
  const values = [customerId, firstDay, lastDay, ...(keyId === undefined ? [] : [keyId])];
  const days = `day >= $2 AND day <= $3 ${keyId === undefined ? '' : 'AND key_id = $4'}`;
  const ofOwner = `JOIN api_keys ON api_keys.id = key_id WHERE api_keys.customer_id = $1 AND ${days}`;
  const found = new Map<string, UsageDetails>();
  const at = ({ name }: Named): UsageDetails => {
    const known = found.get(String(name));
    if (known !== undefined) return known;
    const fresh = { ...noUsage, latencies: [], lanes: {} };
    found.set(String(name), fresh);
    return fresh;
  };
  const used = yield* query<KeyUsage & Named>(
    `SELECT ${by} AS name, CAST(sum(requests) AS bigint) AS requests,
       CAST(sum(credits) AS bigint) AS credits
     FROM usage_days ${ofOwner} GROUP BY ${by}`,
    values,
  );
  for (const { requests, credits, ...row } of used) Object.assign(at(row), { requests, credits });
  const failed = yield* query<{ calls: number } & Named>(
    `SELECT ${by} AS name, CAST(sum(calls) AS bigint) AS calls FROM request_days
     WHERE customer_id = $1 AND ${days} AND code <> '' GROUP BY ${by}`,
    values,
  );
  for (const { calls, ...row } of failed) at(row).failed = calls;
  const latencies = yield* query<LatencyBucket & Named>(
    `SELECT ${by} AS name, bound_ms AS "boundMs", CAST(sum(calls) AS bigint) AS calls
     FROM latency_days ${ofOwner} GROUP BY ${by}, bound_ms ORDER BY bound_ms`,
    values,
  );
  for (const { boundMs, calls, ...row } of latencies) {
    at(row).latencies.push({ boundMs: boundMs === NO_BOUND_MS ? Infinity : boundMs, calls });
  }
  const lanes = yield* query<{ lane: Provenance; calls: number } & Named>(
    `SELECT ${by} AS name, lane, CAST(sum(calls) AS bigint) AS calls
     FROM lane_days ${ofOwner} GROUP BY ${by}, lane`,
    values,
  );
  for (const { lane, calls, ...row } of lanes) at(row).lanes[lane] = calls;
  return found;
}

const DAY_MS = 86_400_000;

/** Returns the days of a range. */
export function daysOf({ firstDay, lastDay }: Pick<UsageRange, 'firstDay' | 'lastDay'>): string[] {
  const first = Date.parse(`${firstDay}T00:00:00Z`);
  const count = Math.round((Date.parse(`${lastDay}T00:00:00Z`) - first) / DAY_MS) + 1;
  return Array.from({ length: count }, (_, index) => dayOf(first + index * DAY_MS));
}
