/** Runs one soak: local answers with hanging lanes, then many customers with random faults. */
import { join } from 'node:path';
import { auditLedger } from '../../src/accounts/sql/audit.ts';
import { openStore } from '../../src/database/open.ts';
import { indexSample } from '../bench/index-sample.ts';
import { createRandom } from '../bench/random.ts';
import { sampleTitles } from '../bench/sample-titles.ts';
import { type Server, startServer } from '../bench/server.ts';
import { median, quantile } from '../bench/statistics.ts';
import { copy } from '../bench/tasks/copy.ts';
import { askOn, checkLedger, createCustomers, drawOutOfDomainQuestion } from './customers.ts';
import type { SoakOptions } from './options.ts';
import { type Fault, type Stub, startStub } from './stubs.ts';

/** The gap between requests that arXiv asks for. */
const ARXIV_GAP_MS = 3_000;
/** How much the server's memory may grow between the second and the last quarter of a run. */
const MEMORY_GROWTH_MAX = 1.25;
const SAMPLE_INTERVAL_MS = 500;
/** Customers who wait for hanging lanes while local answers are timed. */
const HANGING_CUSTOMERS = 24;

export interface Report {
  /** Responses by status. 0: the connection broke. */
  answers: Record<string, number>;
  /** Searches by lane outcome. */
  outcomes: Record<string, number>;
  /** Requests to all stubs by behavior. */
  faults: Record<string, number>;
  /** Search times in milliseconds. */
  medianMs: number;
  p99Ms: number;
  /** Undefined if arXiv got fewer than two requests. */
  arxivGapMsMin: number | undefined;
  arxivRequests: number;
  residentBytes: { start: number; most: number; last: number };
  /** Times of local answers in milliseconds, and the ratio of hanging to idle. */
  local: { quietMs: number; hangingMs: number; ratio: number; p95Ratio: number };
  /** One sentence for each error. */
  wrong: string[];
}

/** Runs a soak. All of its files are in `folder`. */
export async function soak(options: SoakOptions, folder: string): Promise<Report> {
  const database = join(folder, 'soak.db');
  if (options.db === undefined) {
    await indexSample(database);
  } else await copy({ from: options.db, to: database });
  const local = await timeLocalAnswers(database, options);
  return { ...(await soakCustomers(database, options)), local };
}

/** Times local answers while the server is idle, and while other searches wait for hanging lanes. */
async function timeLocalAnswers(
  database: string,
  { localSeconds, seed, requestTimeoutMs }: SoakOptions,
): Promise<Report['local']> {
  const stubs = await startStubs(String(seed), 'hang');
  // If the circuit breaker opened, no search would wait.
  const env = { ...environment(stubs, requestTimeoutMs), VERBATIM_LANE_FAILURES_MAX: '1000000' };
  const server = await startServer(database, { env });
  const [timed, ...waiting] = createCustomers(database, 1 + HANGING_CUSTOMERS, 'local');
  if (timed === undefined) throw new Error('no customer was created');
  const titles = sampleTitles();
  let asked = 0;
  const ask = (seconds: number): Promise<number[]> => {
    const end = performance.now() + seconds * 1_000;
    const nextQuestion = (): string => titles[asked++ % titles.length] as string;
    return askOn(timed, server.port, { nextQuestion, goOn: () => performance.now() < end });
  };
  await ask(localSeconds / 4);
  const before = await ask(localSeconds / 2);
  let isOver = false;
  const random = createRandom(`${seed} hanging`);
  const hanging = waiting.map((customer) =>
    askOn(customer, server.port, {
      nextQuestion: () => drawOutOfDomainQuestion(random),
      goOn: () => !isOver,
      // A search immediately skips lanes that cannot respond in time. Without an interval, these
      // customers would keep the server busy instead of waiting.
      everyMs: requestTimeoutMs,
    }),
  );
  await until(() => stubs.some(({ requests }) => requests.length > 0));
  const withHanging = await ask(localSeconds);
  isOver = true;
  await Promise.all(hanging);
  // Measured before and after, because the load of a shared machine changes within a minute.
  const quiet = [...before, ...(await ask(localSeconds / 2))];
  await stopAll(server, stubs);
  const [quietMs, hangingMs] = [median(quiet), median(withHanging)];
  return {
    quietMs,
    hangingMs,
    ratio: hangingMs / quietMs,
    p95Ratio: quantile(withHanging, 0.95) / quantile(quiet, 0.95),
  };
}

async function soakCustomers(
  database: string,
  { customers: count, seconds, seed, requestTimeoutMs }: SoakOptions,
): Promise<Omit<Report, 'local'>> {
  const stubs = await startStubs(String(seed));
  const outcomes: Record<string, number> = {};
  const server = await startServer(database, {
    env: environment(stubs, requestTimeoutMs),
    onLine: (line) => countOutcome(outcomes, line),
  });
  const customers = createCustomers(database, count, 'soak');
  const random = createRandom(`${seed} questions`);
  const resident: number[] = [];
  const sample = (): void => {
    resident.push(server.residentBytes() ?? 0);
  };
  sample();
  const sampling = setInterval(sample, SAMPLE_INTERVAL_MS);
  const end = performance.now() + seconds * 1_000;
  const milliseconds = await Promise.all(
    customers.map((customer) =>
      askOn(customer, server.port, {
        nextQuestion: () => drawOutOfDomainQuestion(random),
        goOn: () => performance.now() < end,
      }),
    ),
  );
  clearInterval(sampling);
  sample();
  await stopAll(server, stubs);
  const statuses = sumOf(customers.map((customer) => Object.fromEntries(customer.statuses)));
  const arxivGapMsMin = leastGap(stubs[0]?.requests ?? []);
  const most = Math.max(...resident);
  return {
    answers: statuses,
    outcomes,
    arxivGapMsMin,
    faults: sumOf(stubs.map(({ faults }) => faults)),
    medianMs: median(milliseconds.flat()),
    p99Ms: quantile(milliseconds.flat(), 0.99),
    arxivRequests: stubs[0]?.requests.length ?? 0,
    residentBytes: { start: resident[0] ?? 0, most, last: resident.at(-1) ?? 0 },
    wrong: [
      ...wrongStatuses(statuses),
      ...((outcomes['served'] ?? 0) > 0 ? [] : ['no search was served by a lane']),
      ...(arxivGapMsMin !== undefined && arxivGapMsMin < ARXIV_GAP_MS
        ? [`arXiv got two requests within ${arxivGapMsMin.toFixed(0)} ms`]
        : []),
      ...wrongMemory(resident),
      ...checkLedger(database, customers),
      ...audit(database),
    ],
  };
}

/** The first stub is arXiv. */
async function startStubs(seed: string, only?: Fault): Promise<Stub[]> {
  return [
    await startStub('arxiv', seed, only),
    await startStub('semantic_scholar', seed, only),
    await startStub('crossref', seed, only),
  ];
}

function environment(
  [arxiv, semanticScholar, crossref]: readonly Stub[],
  requestTimeoutMs: number,
): Record<string, string> {
  return {
    VERBATIM_LANES: 'arxiv,semantic_scholar,web',
    VERBATIM_LANE_CONTACT: 'soak@example.org',
    VERBATIM_ARXIV_URL: arxiv?.url ?? '',
    VERBATIM_SEMANTIC_SCHOLAR_URL: semanticScholar?.url ?? '',
    VERBATIM_CROSSREF_URL: crossref?.url ?? '',
    VERBATIM_REQUEST_TIMEOUT_MS: String(requestTimeoutMs),
    // Room for all customers, because the soak does not test capacity.
    VERBATIM_IN_FLIGHT_MAX: '1000',
    VERBATIM_LANE_SEARCHES_MAX: '1000',
  };
}

async function stopAll(server: Server, stubs: readonly Stub[]): Promise<void> {
  await server.stop();
  for (const stub of stubs) await stub.close();
}

/** Counts the outcome in the log line of a search. */
function countOutcome(outcomes: Record<string, number>, line: string): void {
  const lanes = /"lanes":"(\w+);/.exec(line)?.[1];
  if (lanes !== undefined) outcomes[lanes] = (outcomes[lanes] ?? 0) + 1;
}

function wrongStatuses(statuses: Record<string, number>): string[] {
  return Object.entries(statuses)
    .filter(([status]) => status !== '200' && status !== '504')
    .map(([status, count]) => `${count} searches returned status ${status}`);
}

/** Compares the second and the last quarter of the run. The first quarter is the warm-up. */
function wrongMemory(resident: readonly number[]): string[] {
  const quarter = Math.floor(resident.length / 4);
  const before = median(resident.slice(quarter, 2 * quarter));
  const after = median(resident.slice(-quarter));
  if (!(after > MEMORY_GROWTH_MAX * before)) return [];
  return [`memory grew from ${Math.round(before / 1e6)} to ${Math.round(after / 1e6)} MB`];
}

function audit(database: string): string[] {
  const db = openStore({ path: database, lockWaitMs: 5_000 });
  const { differences, held } = auditLedger(db);
  db.close();
  return [
    ...differences.map((difference) => `audit: ${JSON.stringify(difference)}`),
    ...(held === 0 ? [] : [`${held} credits are still held`]),
  ];
}

function leastGap(times: readonly number[]): number | undefined {
  if (times.length < 2) return undefined;
  return Math.min(...times.slice(1).map((time, i) => time - (times[i] as number)));
}

function sumOf(counts: readonly Record<string, number>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, count] of counts.flatMap((one) => Object.entries(one))) {
    sums[name] = (sums[name] ?? 0) + count;
  }
  return sums;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 20));
}
