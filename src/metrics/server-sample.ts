/** What is kept of the server's numbers over time: counts of one interval, and sizes at its end. */
import { type CumulativeBucket, quantileOf } from '../accounts/quantile.ts';
import { BUCKETS_SECONDS } from './durations.ts';
import type { Labels, Reading } from './exposition.ts';
import { serviceNumbers, type TimedReading } from './service-numbers.ts';

/** Searches by the upper bound of their latency, in seconds as Prometheus writes it: `0.05`, `+Inf`. */
export type LatencyCounts = Readonly<Record<string, number>>;

const REQUESTS = 'verbatim_http_requests_total';
/** The routes of calls begin with it. */
const CALLS = '/v1/';

export interface ServerSample {
  /** Milliseconds since 1970. */
  endedAt: number;
  searches: number;
  /** Without empty bounds. */
  latencies: LatencyCounts;
  /** Responses with a status of 400 to 499, and of 500 or more. */
  refused: number;
  failed: number;
  /** Paid calls that were answered or failed, and those that failed. */
  calls: number;
  callsFailed: number;
  /** What waited in all queues at the end. */
  waiting: number;
  searchesInFlight: number;
  memoryBytes: number;
  databaseBytes: number;
  walBytes: number;
}

/** What the interval between two readings had; `before` is undefined for the first of a process. */
export function sampleOf(now: TimedReading, before?: TimedReading): ServerSample {
  const { queues, ...numbers } = serviceNumbers(now, before);
  const counted = (name: string, labels?: Labels): number =>
    (now.reading.sum(name, labels) ?? 0) - (before?.reading.sum(name, labels) ?? 0);
  const responses = (isCounted: (status: number, route: string) => boolean): number =>
    now.reading
      .all(REQUESTS)
      .filter(({ labels: { status, route = '' } }) => isCounted(Number(status), route))
      .reduce((sum, { labels }) => sum + counted(REQUESTS, labels), 0);
  const isFailure = (status: number): boolean => status >= 500;
  const isCall = (route: string): boolean => route.startsWith(CALLS);
  return {
    endedAt: now.at,
    searches: counted('verbatim_search_duration_seconds_count'),
    latencies: latenciesBetween(now.reading, before?.reading),
    refused: responses((status) => status >= 400 && status < 500),
    failed: responses(isFailure),
    calls: responses((status, route) => isCall(route) && (status < 300 || isFailure(status))),
    callsFailed: responses((status, route) => isCall(route) && isFailure(status)),
    waiting: Object.values(queues).reduce((sum, length) => sum + length, 0),
    searchesInFlight: numbers.searchesInFlight,
    memoryBytes: numbers.memoryBytes,
    databaseBytes: numbers.databaseBytes ?? 0,
    walBytes: numbers.walBytes ?? 0,
  };
}

function latenciesBetween(now: Reading, before: Reading | undefined): LatencyCounts {
  const name = 'verbatim_search_duration_seconds_bucket';
  const counts: Record<string, number> = {};
  let below = 0;
  for (const { labels, value } of now.all(name)) {
    const le = labels['le'] ?? '';
    const upTo = value - (before?.sum(name, { le }) ?? 0);
    if (upTo > below) counts[le] = upTo - below;
    below = upTo;
  }
  return counts;
}

/** Estimates a quantile of searches that several samples counted, in milliseconds. */
export function latencyOf(share: number, samples: readonly ServerSample[]): number | undefined {
  let below = 0;
  const buckets: CumulativeBucket[] = [...BUCKETS_SECONDS, Infinity].map((bound) => {
    const le = bound === Infinity ? '+Inf' : String(bound);
    below += samples.reduce((sum, { latencies }) => sum + (latencies[le] ?? 0), 0);
    return { bound: bound * 1000, count: below };
  });
  return quantileOf(share, buckets);
}

const nothing: Omit<ServerSample, 'endedAt'> = {
  searches: 0,
  latencies: {},
  refused: 0,
  failed: 0,
  calls: 0,
  callsFailed: 0,
  waiting: 0,
  searchesInFlight: 0,
  memoryBytes: 0,
  databaseBytes: 0,
  walBytes: 0,
};

/** Writes what `readSample` reads. */
export function writeSample({ endedAt: _, ...numbers }: ServerSample): string {
  return JSON.stringify(numbers);
}

/** Reads a stored sample. What another version did not write counts as nothing. */
export function readSample(endedAt: number, numbers: string): ServerSample {
  const parsed = JSON.parse(numbers) as Partial<Record<keyof ServerSample, unknown>>;
  const sample: Record<string, unknown> = { ...nothing, endedAt };
  for (const [name, value] of Object.entries(nothing)) {
    const stored = parsed[name as keyof ServerSample];
    if (typeof stored === typeof value && stored !== null) sample[name] = stored;
  }
  return sample as unknown as ServerSample;
}
