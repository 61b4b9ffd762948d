/** Usage of a customer in a range of days, by day or by key. */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { Provenance } from '../../types.ts';
import { NO_BOUND_MS } from './answer-measures.ts';
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
  /** Calls that were not charged. */
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

/** What the tables say of each day or of each key, which is the `name`. */
export interface UsageRows {
  used: readonly (KeyUsage & Named)[];
  failed: readonly ({ lines: number } & Named)[];
  latencies: readonly (LatencyBucket & Named)[];
  lanes: readonly ({ lane: Provenance; calls: number } & Named)[];
}

interface Named {
  name: string | number;
}

/** Puts rows together by their names. */
export function collectUsage({ used, failed, latencies, lanes }: UsageRows) {
  const found = new Map<string, UsageDetails>();
  const at = ({ name }: Named): UsageDetails => {
    const known = found.get(String(name));
    if (known !== undefined) return known;
    const fresh = { ...noUsage, latencies: [], lanes: {} };
    found.set(String(name), fresh);
    return fresh;
  };
  for (const { requests, credits, ...row } of used) Object.assign(at(row), { requests, credits });
  for (const { lines, ...row } of failed) at(row).failed = lines;
  for (const { boundMs, calls, ...row } of latencies) {
    at(row).latencies.push({ boundMs: boundMs === NO_BOUND_MS ? Infinity : boundMs, calls });
  }
  for (const { lane, calls, ...row } of lanes) at(row).lanes[lane] = calls;
  return found;
}

/** Reads the usage of each day (YYYY-MM-DD) or of each key (its id) that has some. */
export function readUsageDetails(
  db: Connection,
  range: UsageRange,
  by: 'day' | 'key_id',
): Map<string, UsageDetails> {
  const ofKey = range.keyId === undefined ? '' : 'AND key_id = :keyId';
  const ofOwner = `JOIN api_keys ON api_keys.id = key_id
    WHERE api_keys.customer_id = :customerId AND day >= :firstDay AND day <= :lastDay ${ofKey}`;
  const rowsOf = <Table extends keyof UsageRows>(sql: string): UsageRows[Table] =>
    db.prepare(sql).all(range) as unknown as UsageRows[Table];
  return collectUsage({
    used: rowsOf<'used'>(
      `SELECT ${by} AS name, sum(requests) AS requests, sum(credits) AS credits
       FROM usage_days ${ofOwner} GROUP BY ${by}`,
    ),
    failed: rowsOf<'failed'>(
      `SELECT ${by} AS name, sum(lines) AS lines FROM activity_days
       WHERE customer_id = :customerId AND day >= :firstDay AND day <= :lastDay ${ofKey}
         AND outcome = 'free' GROUP BY ${by} HAVING sum(lines) > 0`,
    ),
    latencies: rowsOf<'latencies'>(
      `SELECT ${by} AS name, bound_ms AS boundMs, sum(calls) AS calls
       FROM latency_days ${ofOwner} GROUP BY ${by}, bound_ms ORDER BY bound_ms`,
    ),
    lanes: rowsOf<'lanes'>(
      `SELECT ${by} AS name, lane, sum(calls) AS calls
       FROM lane_days ${ofOwner} GROUP BY ${by}, lane`,
    ),
  });
}
