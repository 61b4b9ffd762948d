/**
 * Overload: how a server at ten times its capacity treats those whom it serves, and those whom it
 * refuses.
 */
import { resolve } from 'node:path';
import { sampleTitles } from '../../bench/sample-titles.ts';
import { type Server, startServer } from '../../bench/server.ts';
import { createCustomer, readBooks, UNLIMITED } from '../accounts.ts';
import type { LoadGroup, LoadReport } from '../load/plan.ts';
import { startLoad } from '../load/processes.ts';
import { type ProcessorMs, processorMs } from '../processor-time.ts';
import { boundedRow, type Ordeal, type Row, type SectionReport } from '../section.ts';

/** As many clients as the server admits: every permit is in use, and nobody is refused. */
const CAPACITY_CLIENTS = 64;
const OVERLOAD_FACTOR = 10;
/** Connections that an open loop may use. A request that finds none free is not sent. */
const OPEN_LOOP_CLIENTS = 1_000;
const LATENCY_RATIO_MAX = 3;
const REJECTION_MS_MAX = 50;
const SERVED_SHARE_MIN = 0.9;
/** How much the server's memory may grow under overload. */
const MEMORY_GROWTH_MAX = 1.5;
const SAMPLE_INTERVAL_MS = 250;
const WARM_UP_SECONDS = 2;

/** Under overload, what a key of its own gets that sends more than its rate. */
const GREEDY = { requestsPerMinute: 60, inFlightMax: 8 };

interface Measured {
  report: LoadReport;
  processor: ProcessorMs;
  residentBytes: number;
}

export async function overload(ordeal: Ordeal): Promise<SectionReport> {
  const { options, cores, say } = ordeal;
  const database = await ordeal.copyIndex('overload');
  const secret = createCustomer(database, 'overload', UNLIMITED);
  const greedy = createCustomer(database, 'greedy', GREEDY);
  const server = await startServer(database, {
    through: cores.server,
    nodeArguments: profileArguments(options.profile),
  });
  let served = 0;
  const run = async (group: LoadGroup, seconds: number): Promise<Measured> => {
    say(`  ${group.name}, ${seconds} s …`);
    const memory = sampleMemory(server);
    const start = processorMs(server.pid);
    const plan = { port: server.port, seconds, titles: sampleTitles(), groups: [group] };
    const report = (await startLoad(plan, cores.load))[group.name] as LoadReport;
    served += report.statuses['200'] ?? 0;
    const end = processorMs(server.pid);
    const processor = {
      mainThread: end.mainThread - start.mainThread,
      all: end.all - start.all,
    };
    return { report, processor, residentBytes: memory.most() };
  };
  const capacitySeconds = Math.max(1, Math.round(options.seconds / 3));
  const atCapacity = { name: 'capacity', secrets: [secret], clients: CAPACITY_CLIENTS };
  await run(atCapacity, WARM_UP_SECONDS);
  const before = await run(atCapacity, capacitySeconds);
  const capacity = before.report.servedPerSecond;
  const open = await run(
    {
      name: 'open loop',
      secrets: [secret],
      clients: OPEN_LOOP_CLIENTS,
      ratePerSecond: OVERLOAD_FACTOR * capacity,
    },
    options.seconds,
  );
  const retrying = await run(
    { name: 'retrying', secrets: [secret], clients: options.retrying },
    options.seconds,
  );
  const mixed = await run(
    {
      name: 'retrying, half over the rate of their key',
      secrets: [secret, greedy],
      clients: options.retrying,
    },
    options.seconds,
  );
  // The speed of a shared machine changes within a minute.
  const after = await run(atCapacity, capacitySeconds);
  await server.stop();

  const baseline: Baseline = {
    servedPerSecond: (capacity + after.report.servedPerSecond) / 2,
    p99: Math.max(before.report.accepted.p99, after.report.accepted.p99),
    residentBytes: before.residentBytes,
    mainThreadMsPerSearch: before.processor.mainThread / (before.report.statuses['200'] ?? 1),
  };
  const books = readBooks(database);
  return {
    rows: [
      {
        measure: 'capacity, before and after',
        value: `${rate(capacity)}, ${rate(after.report.servedPerSecond)}`,
      },
      {
        measure: 'p50 and p99 at capacity, before',
        value: `${ms(before.report.accepted.p50)}, ${ms(before.report.accepted.p99)}`,
      },
      ...rowsOf(`${OVERLOAD_FACTOR} x capacity, open loop`, open, baseline, options.seconds),
      ...rowsOf(`${options.retrying} that retry at once`, retrying, baseline, options.seconds),
      ...rowsOf('the same, half of them over their rate', mixed, baseline, options.seconds),
    ],
    wrong: [
      ...books.wrong,
      ...(books.charged.length === served
        ? []
        : [`${served} searches were served, ${books.charged.length} were charged`]),
      ...[open, retrying, mixed].flatMap(({ report }) => unexpectedStatuses(report)),
    ],
  };
}

interface Baseline {
  servedPerSecond: number;
  p99: number;
  residentBytes: number;
  mainThreadMsPerSearch: number;
}

function rowsOf(
  name: string,
  { report, residentBytes, processor }: Measured,
  baseline: Baseline,
  seconds: number,
): Row[] {
  const { accepted, rejected, servedPerSecond, unsent, statuses } = report;
  const share = servedPerSecond / baseline.servedPerSecond;
  const latency = accepted.p99 / baseline.p99;
  const growth = residentBytes / baseline.residentBytes;
  const all = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  const served = statuses['200'] ?? 0;
  const rejectionsMs = processor.mainThread - served * baseline.mainThreadMsPerSearch;
  const rejectionMs = rejectionsMs / Math.max(1, all - served);
  const counts = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
  return [
    { measure: name, value: `${rate(all / seconds)}; ${counts.join(', ')}; ${unsent} not sent` },
    boundedRow(
      '  served, share of capacity',
      share.toFixed(2),
      `>= ${SERVED_SHARE_MIN}`,
      share >= SERVED_SHARE_MIN,
    ),
    boundedRow(
      '  p99 of the served, multiple of that at capacity',
      `${latency.toFixed(2)} (${ms(accepted.p99)})`,
      `<= ${LATENCY_RATIO_MAX}`,
      latency <= LATENCY_RATIO_MAX,
    ),
    boundedRow(
      '  rejections, p50',
      `${ms(rejected.p50)} (p99 ${ms(rejected.p99)})`,
      `<= ${REJECTION_MS_MAX} ms`,
      rejected.p50 <= REJECTION_MS_MAX,
    ),
    {
      measure: '  processor time of a rejection, of all of them',
      value: `${(rejectionMs * 1_000).toFixed(0)} µs, ${((100 * rejectionsMs) / processor.all).toFixed(1)} % of the server`,
    },
    boundedRow(
      '  memory, multiple of that at capacity',
      `${growth.toFixed(2)} (${Math.round(residentBytes / 1e6)} MB)`,
      `<= ${MEMORY_GROWTH_MAX}`,
      growth <= MEMORY_GROWTH_MAX,
    ),
  ];
}

const EXPECTED = new Set(['200', '429', '503']);

function unexpectedStatuses({ statuses }: LoadReport): string[] {
  return Object.entries(statuses)
    .filter(([status]) => !EXPECTED.has(status))
    .map(
      ([status, count]) =>
        `${count} requests ended with ${status === '0' ? 'a broken connection' : status}`,
    );
}

/** Watches a server's memory until `most` is called. */
function sampleMemory(server: Server): { most(): number } {
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, server.residentBytes() ?? 0);
  }, SAMPLE_INTERVAL_MS);
  return {
    most() {
      clearInterval(timer);
      return most;
    },
  };
}

/** Node writes a profile of each thread when the server stops. */
function profileArguments(folder: string | undefined): string[] {
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(folder)}`];
}

function rate(perSecond: number): string {
  return `${perSecond.toPrecision(3)} /s`;
}

function ms(milliseconds: number): string {
  return `${milliseconds.toPrecision(3)} ms`;
}
