/** What customers see of their usage in a range of days. */
import { laneNames } from '../settings/lane-choice.ts';
import type { AccountDeps } from './account-deps.ts';
import { quantileOf } from './quantile.ts';
import { latencyBoundsMs } from './sql/latency-bounds.ts';
import type { RequestTotal } from './sql/request-pages.ts';
import {
  daysOf,
  type LatencyBucket,
  noUsage,
  type UsageDetails,
  type UsageRange,
} from './sql/usage-details.ts';

/** The usage of a day, of a key, or of all of them. */
export interface UsageFigures extends UsageDetails {
  /** In milliseconds; undefined without measured calls. */
  p50Ms: number | undefined;
  p95Ms: number | undefined;
  /** Calls whose latency and lanes are known. */
  measured: number;
}

export interface UsageReport {
  /** Every day of the range, oldest first. */
  days: (UsageFigures & { day: string })[];
  /** By the id of the key; only keys with usage. */
  keys: ReadonlyMap<string, UsageFigures>;
  total: UsageFigures;
}

/** Requests with one status and error, in a range of days and in as many days before it. */
export interface StatusUsage {
  status: number;
  /** Empty: answered. */
  code: string;
  calls: number;
  callsBefore: number;
}

const DAY_MS = 86_400_000;

/** Reports the usage of a range of days, by day, by key, and in total. */
export async function usageReport({ store }: AccountDeps, range: UsageRange): Promise<UsageReport> {
  const { byDay, byKey } = await store.readUsage(range);
  return {
    days: daysOf(range).map((day) => ({ day, ...figuresOf(byDay.get(day) ?? noUsage) })),
    keys: new Map([...byKey].map(([key, details]) => [key, figuresOf(details)])),
    total: figuresOf(sumOf([...byDay.values()])),
  };
}

/** Counts requests by status and error, the most frequent first, beside the range before. */
export async function usageByStatus(
  { store }: AccountDeps,
  range: UsageRange,
): Promise<StatusUsage[]> {
  const { customerId, keyId, firstDay } = range;
  const from = Date.parse(`${firstDay}T00:00:00Z`);
  const lengthMs = daysOf(range).length * DAY_MS;
  const countFrom = (start: number) => {
    const times = { from: start, until: start + lengthMs };
    return store.countRequests({ customerId, ...times, ...(keyId !== undefined && { keyId }) });
  };
  const [now, before] = await Promise.all([countFrom(from), countFrom(from - lengthMs)]);
  const found = new Map<string, StatusUsage>();
  const at = ({ status, code }: RequestTotal): StatusUsage => {
    const name = `${status} ${code}`;
    const known = found.get(name) ?? { status, code, calls: 0, callsBefore: 0 };
    found.set(name, known);
    return known;
  };
  for (const total of now) at(total).calls += total.calls;
  for (const total of before) at(total).callsBefore += total.calls;
  return [...found.values()].sort((a, b) => b.calls - a.calls || b.callsBefore - a.callsBefore);
}

function figuresOf(details: UsageDetails): UsageFigures {
  const counts = new Map(details.latencies.map(({ boundMs, calls }) => [boundMs, calls]));
  // Empty buckets too: a quantile lies between neighboring bounds.
  const bounds = [...new Set([...latencyBoundsMs, ...counts.keys()])].sort((a, b) => a - b);
  let count = 0;
  const cumulative = bounds.map((bound) => {
    count += counts.get(bound) ?? 0;
    return { bound, count };
  });
  const [p50Ms, p95Ms] = [0.5, 0.95].map((share) => quantileOf(share, cumulative));
  return { ...details, p50Ms, p95Ms, measured: count };
}

function sumOf(all: readonly UsageDetails[]): UsageDetails {
  const total = (of: (details: UsageDetails) => number): number =>
    all.reduce((sum, details) => sum + of(details), 0);
  const lanes: UsageDetails['lanes'] = {};
  for (const lane of ['corpus', ...laneNames] as const) {
    const calls = total((details) => details.lanes[lane] ?? 0);
    if (calls > 0) lanes[lane] = calls;
  }
  return {
    requests: total(({ requests }) => requests),
    credits: total(({ credits }) => credits),
    failed: total(({ failed }) => failed),
    latencies: sumOfBuckets(all.flatMap(({ latencies }) => latencies)),
    lanes,
  };
}

function sumOfBuckets(buckets: readonly LatencyBucket[]): LatencyBucket[] {
  const calls = new Map<number, number>();
  for (const bucket of buckets) {
    calls.set(bucket.boundMs, (calls.get(bucket.boundMs) ?? 0) + bucket.calls);
  }
  return [...calls]
    .map(([boundMs, count]) => ({ boundMs, calls: count }))
    .sort((a, b) => a.boundMs - b.boundMs);
}
