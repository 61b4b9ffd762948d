/** The numbers of `verbatim top` and `verbatim stats`, from one or two readings of the metrics. */
import { searchStages } from '../http/search-stages.ts';
import type { Labels, Reading } from './exposition.ts';
import { histogramQuantile } from './histogram-quantile.ts';

/** A reading and when it was made, in milliseconds since 1970. */
export interface TimedReading {
  reading: Reading;
  at: number;
}

/** In milliseconds; undefined if nothing happened in the interval. */
export interface Latency {
  p50: number | undefined;
  p95: number | undefined;
}

export interface LaneNumbers {
  lane: string;
  provider: string;
  state: string;
  /** Questions in the interval, by outcome. */
  questions: Readonly<Record<string, number>>;
}

export interface ServiceNumbers {
  version: string;
  isReady: boolean;
  uptimeSeconds: number;
  /** The interval that rates, latencies, and questions are of. */
  intervalSeconds: number;
  searchesPerSecond: number;
  searchMs: Latency;
  stagesMs: Readonly<Record<string, Latency>>;
  /** Searches in the interval that the reranker was to order and did not, by reason. */
  notReranked: Readonly<Record<string, number>>;
  /** Responses per second by the class of their status: `2xx`. */
  responsesPerSecond: Readonly<Record<string, number>>;
  unsentPerSecond: number;
  searchesInFlight: number;
  searchesInFlightMax: number;
  threads: Readonly<Record<string, number>>;
  threadTasks: Readonly<Record<string, number>>;
  threadsDied: number;
  queues: Readonly<Record<string, number>>;
  isLedgerWritable: boolean;
  /** The parts of what is stored that are known to be damaged. */
  damagedParts: string[];
  holdsOpen: number;
  creditsChargedPerSecond: number;
  creditsReturnedPerSecond: number;
  lanes: LaneNumbers[];
  /** Processor time per second of the interval. */
  cores: number;
  memoryBytes: number;
  openFiles: number | undefined;
  eventLoopDelayMs: Latency;
  databaseBytes: number | undefined;
  walBytes: number | undefined;
  diskFreeBytes: number | undefined;
  /** When `verbatim backup` last copied the database, in milliseconds since 1970. */
  lastBackupAt: number | undefined;
  /** When the certificate in use ends, in milliseconds since 1970. */
  certificateEndsAt: number | undefined;
  documents: number | undefined;
  sentences: number | undefined;
  /** In milliseconds since 1970. */
  lastBuildAt: number | undefined;
  /** When the last check of the file ended, in milliseconds since 1970. */
  fileCheckedAt: number | undefined;
  /** How many parts it found damaged. */
  fileCheckDamagedParts: number | undefined;
}

/**
 * Returns the numbers of the interval between two readings, or since the start of the server if
 * there is no earlier reading of the same process.
 */
export function serviceNumbers(now: TimedReading, earlier?: TimedReading): ServiceNumbers {
  const { reading } = now;
  const startedAt = numberOf(reading, 'process_start_time_seconds');
  const isSameProcess =
    earlier !== undefined && numberOf(earlier.reading, 'process_start_time_seconds') === startedAt;
  const before = isSameProcess ? earlier.reading : undefined;
  const uptimeSeconds = Math.max(0, now.at / 1000 - startedAt);
  const intervalSeconds = isSameProcess ? (now.at - earlier.at) / 1000 : uptimeSeconds;
  const rate = (name: string, labels?: Labels): number =>
    intervalSeconds > 0
      ? (numberOf(reading, name, labels) - (before?.sum(name, labels) ?? 0)) / intervalSeconds
      : 0;
  const latency = (name: string, labels: Labels = {}): Latency => ({
    p50: milliseconds(histogramQuantile(0.5, { name, labels }, reading, before)),
    p95: milliseconds(histogramQuantile(0.95, { name, labels }, reading, before)),
  });
  const time = (name: string): number | undefined => {
    const seconds = reading.sum(name);
    return seconds === undefined ? undefined : seconds * 1000;
  };
  return {
    version: reading.all('verbatim_build_info')[0]?.labels['version'] ?? '',
    isReady: reading.sum('verbatim_ready') === 1,
    uptimeSeconds,
    intervalSeconds,
    searchesPerSecond: rate('verbatim_search_duration_seconds_count'),
    searchMs: latency('verbatim_search_duration_seconds'),
    stagesMs: Object.fromEntries(
      searchStages.map((stage) => [
        stage,
        latency('verbatim_search_stage_duration_seconds', { stage }),
      ]),
    ),
    notReranked: increaseBy(reading, before, 'verbatim_searches_not_reranked_total', 'reason'),
    responsesPerSecond: responsesPerSecond(reading, rate),
    unsentPerSecond: rate('verbatim_http_responses_unsent_total'),
    searchesInFlight: numberOf(reading, 'verbatim_searches_in_flight'),
    searchesInFlightMax: numberOf(reading, 'verbatim_searches_in_flight_max'),
    threads: byLabel(reading, 'verbatim_threads', 'role'),
    threadTasks: byLabel(reading, 'verbatim_thread_tasks', 'role'),
    threadsDied: numberOf(reading, 'verbatim_threads_died_total'),
    queues: byLabel(reading, 'verbatim_queue_length', 'queue'),
    isLedgerWritable: reading.sum('verbatim_ledger_degraded') === 0,
    damagedParts: Object.keys(byLabel(reading, 'verbatim_damaged_parts', 'part')),
    holdsOpen: numberOf(reading, 'verbatim_holds_open'),
    creditsChargedPerSecond: rate('verbatim_credits_charged_total'),
    creditsReturnedPerSecond: rate('verbatim_credits_returned_total'),
    lanes: laneNumbers(reading, before),
    cores: rate('process_cpu_seconds_total'),
    memoryBytes: numberOf(reading, 'process_resident_memory_bytes'),
    openFiles: reading.sum('process_open_fds'),
    eventLoopDelayMs: latency('verbatim_event_loop_delay_seconds'),
    databaseBytes: reading.sum('verbatim_database_size_bytes'),
    walBytes: reading.sum('verbatim_database_wal_size_bytes'),
    diskFreeBytes: reading.sum('verbatim_database_disk_free_bytes'),
    lastBackupAt: time('verbatim_database_last_backup_timestamp_seconds'),
    certificateEndsAt: time('verbatim_certificate_end_timestamp_seconds'),
    documents: reading.sum('verbatim_index_documents'),
    sentences: reading.sum('verbatim_index_sentences'),
    lastBuildAt: time('verbatim_index_last_build_timestamp_seconds'),
    fileCheckedAt: time('verbatim_file_check_timestamp_seconds'),
    fileCheckDamagedParts: reading.sum('verbatim_file_check_damaged_parts'),
  };
}

function numberOf(reading: Reading, name: string, labels?: Labels): number {
  return reading.sum(name, labels) ?? 0;
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds * 1e5) / 100;
}

function byLabel(reading: Reading, name: string, label: string): Record<string, number> {
  return Object.fromEntries(
    reading.all(name).map(({ labels, value }) => [labels[label] ?? '', value]),
  );
}

/** By how much a counter has grown in the interval, by label. */
function increaseBy(
  reading: Reading,
  before: Reading | undefined,
  name: string,
  label: string,
): Record<string, number> {
  const counts = Object.entries(byLabel(reading, name, label));
  return Object.fromEntries(
    counts.map(([value, count]) => [value, count - (before?.sum(name, { [label]: value }) ?? 0)]),
  );
}

function responsesPerSecond(
  reading: Reading,
  rate: (name: string, labels: Labels) => number,
): Record<string, number> {
  const name = 'verbatim_http_requests_total';
  const rates: Record<string, number> = { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 };
  for (const status of new Set(reading.all(name).map(({ labels }) => labels['status'] ?? ''))) {
    const group = `${status.slice(0, 1)}xx`;
    rates[group] = (rates[group] ?? 0) + rate(name, { status });
  }
  return rates;
}

function laneNumbers(reading: Reading, before: Reading | undefined): LaneNumbers[] {
  const name = 'verbatim_lane_questions_total';
  return reading
    .all('verbatim_lane_state')
    .filter(({ value }) => value === 1)
    .map(({ labels: { lane = '', provider = '', state = '' } }) => ({
      lane,
      provider,
      state,
      questions: Object.fromEntries(
        reading.all(name, { lane, provider }).map(({ labels: { outcome = '' } }) => {
          const labels = { lane, provider, outcome };
          return [outcome, (reading.sum(name, labels) ?? 0) - (before?.sum(name, labels) ?? 0)];
        }),
      ),
    }));
}
