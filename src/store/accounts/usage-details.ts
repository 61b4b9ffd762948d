/** Usage of a customer in a range of days, by day or by key. */
import type { Provenance } from '../../types.ts';
import type { Connection } from '../database/connection.ts';
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

/** Reads the usage of each day (YYYY-MM-DD) or of each key (its id) that has some. */
export function readUsageDetails(
  db: Connection,
  range: UsageRange,
  by: 'day' | 'key_id',
): Map<string, UsageDetails> {
  const found = new Map<string, UsageDetails>();
  const at = (name: string | number): UsageDetails => {
    const known = found.get(String(name));
    if (known !== undefined) return known;
    const fresh = { ...noUsage, latencies: [], lanes: {} };
    found.set(String(name), fresh);
    return fresh;
  };
  const { keyId } = range;
  const ofKey = keyId === undefined ? '' : 'AND key_id = :keyId';
  const ofOwner = `JOIN api_keys ON api_keys.id = key_id
    WHERE api_keys.customer_id = :customerId AND day >= :firstDay AND day <= :lastDay ${ofKey}`;
  const rowsOf = <Row>(sql: string): (Row & { name: string | number })[] =>
    db.prepare(sql).all(range) as (Row & { name: string | number })[];

  for (const { name, requests, credits } of rowsOf<KeyUsage>(
    `SELECT ${by} AS name, sum(requests) AS requests, sum(credits) AS credits
     FROM usage_days ${ofOwner} GROUP BY ${by}`,
  )) {
    Object.assign(at(name), { requests, credits });
  }
  for (const { name, lines } of rowsOf<{ lines: number }>(
    `SELECT ${by} AS name, sum(lines) AS lines FROM activity_days
     WHERE customer_id = :customerId AND day >= :firstDay AND day <= :lastDay ${ofKey}
       AND outcome = 'free' GROUP BY ${by} HAVING sum(lines) > 0`,
  )) {
    at(name).failed = lines;
  }
  for (const { name, boundMs, calls } of rowsOf<LatencyBucket>(
    `SELECT ${by} AS name, bound_ms AS boundMs, sum(calls) AS calls
     FROM latency_days ${ofOwner} GROUP BY ${by}, bound_ms ORDER BY bound_ms`,
  )) {
    at(name).latencies.push({ boundMs: boundMs === NO_BOUND_MS ? Infinity : boundMs, calls });
  }
  for (const { name, lane, calls } of rowsOf<{ lane: Provenance; calls: number }>(
    `SELECT ${by} AS name, lane, sum(calls) AS calls
     FROM lane_days ${ofOwner} GROUP BY ${by}, lane`,
  )) {
    at(name).lanes[lane] = calls;
  }
  return found;
}
