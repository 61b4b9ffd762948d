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
  const first = await run(atCapacity, capacitySeconds);
  const groups = overloadGroups({
    secret,
    greedy,
    retrying: options.retrying,
    ratePerSecond: OVERLOAD_FACTOR * first.report.servedPerSecond,
  });
  const capacities = [first];
  const overloads: Measured[] = [];
  for (const group of groups) {
    overloads.push(await run(group, options.seconds));
    // The speed of a shared machine changes within a minute, so each overload is compared with what
    // came right before and after it.
    capacities.push(await run(atCapacity, capacitySeconds));
  }
  await server.stop();

  const books = readBooks(database);
  return {
    rows: [
      {
        measure: 'capacity, before and after each',
        value: capacities.map(({ report }) => rate(report.servedPerSecond)).join(', '),
      },
      {
        measure: 'p50 and p99 at capacity, first',
        value: `${ms(first.report.accepted.p50)}, ${ms(first.report.accepted.p99)}`,
      },
      ...overloads.flatMap((measured, i) =>
        rowsOf(
          groups[i]?.name ?? '',
          measured,
          baselineOf(capacities.slice(i, i + 2)),
          options.seconds,
        ),
      ),
    ],
    wrong: [
      ...books.wrong,
      ...(books.charged.length === served
        ? []
        : [`${served} searches were served, ${books.charged.length} were charged`]),
      ...overloads.flatMap(({ report }) => unexpectedStatuses(report)),
    ],
  };
}

interface OverloadPlan {
  /** The secrets of a key without limits, and of one that sends more than its rate. */
  secret: string;
  greedy: string;
  /** Clients that send again as soon as they are refused. */
  retrying: number;
  /** The rate of the open loop. */
  ratePerSecond: number;
}

function overloadGroups({ secret, greedy, retrying, ratePerSecond }: OverloadPlan): LoadGroup[] {
  return [
    {
      name: `${OVERLOAD_FACTOR} x capacity, open loop`,
      secrets: [secret],
      clients: OPEN_LOOP_CLIENTS,
      ratePerSecond,
    },
    { name: `${retrying} that retry at once`, secrets: [secret], clients: retrying },
    {
      name: 'the same, half of them over their rate',
      secrets: [secret, greedy],
      clients: retrying,
    },
  ];
}

interface Baseline {
  servedPerSecond: number;
  p99: number;
  residentBytes: number;
  mainThreadMsPerSearch: number;
}

/** Returns what the measurements at capacity before and after an overload have in common. */
function baselineOf(capacities: readonly Measured[]): Baseline {
  const mean = (read: (measured: Measured) => number): number =>
    capacities.reduce((sum, measured) => sum + read(measured), 0) / capacities.length;
  return {
    servedPerSecond: mean(({ report }) => report.servedPerSecond),
    p99: mean(({ report }) => report.accepted.p99),
    // What an overload took may still be there afterwards.
    residentBytes: Math.min(...capacities.map(({ residentBytes }) => residentBytes)),
    mainThreadMsPerSearch: mean(
      ({ processor, report }) => processor.mainThread / (report.statuses['200'] ?? 1),
    ),
  };
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
