/**
 * Puts the program in dist/ under overload: how a server at ten times its capacity treats those whom it
 * serves, and those whom it refuses. Server and clients are processes of their own, pinned to a core each.
 */
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { auditServed, createCustomer } from '../measure/accounts.ts';
import { prepareIndex } from '../measure/databases.ts';
import { count, text, type ValuesOf } from '../measure/options.ts';
import { atMost, countsOf, ms, type Outcome, type Row, say, tableOf } from '../measure/report.ts';
import { defineMeasurement } from '../measure/run.ts';
import { sampleMemory, startServer } from '../measure/server.ts';
import { meanOf, sumOf } from '../measure/statistics.ts';
import { inTemporaryFolder } from '../measure/temporary-folder.ts';
import { type LoadPlan, type LoadReport, startLoad } from './load.ts';

const SERVER_CORE = 0;
const LOAD_CORE = 1;
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
const EXPECTED = ['200', '429', '503'];

/** Under overload, what a key of its own gets that sends more than its rate. */
const GREEDY = { requestsPerMinute: 60, inFlightMax: 8 };

const options = {
  db: text('use a copy of this index (default: the sample)'),
  seconds: count(60, 'length of each overload; capacity is measured for a third of it', 3),
  retrying: count(640, 'clients that retry as soon as they are refused', 100),
};

export const measurement = defineMeasurement({
  options,
  notes: 'Exits 1 if a bound is missed, or the ledger does not add up.',
  run: (values) => inTemporaryFolder('overload', (folder) => overload(values, folder)),
});

interface Measured {
  name: string;
  seconds: number;
  report: LoadReport;
  residentBytes: number;
}

type Group = Omit<LoadPlan, 'port' | 'seconds'> & { name: string };

async function overload(values: ValuesOf<typeof options>, folder: string): Promise<Outcome> {
  const { db, retrying } = values;
  const cores = findCores();
  const database = join(folder, 'verbatim.db');
  await prepareIndex(db, database);
  const secret = createCustomer(database, 'overload');
  const greedy = createCustomer(database, 'greedy', GREEDY);
  const server = await startServer(database, { through: cores.server });
  const all: Measured[] = [];
  const run = async ({ name, ...group }: Group, seconds: number): Promise<Measured> => {
    say(`  ${name}, ${seconds} s …`);
    const memory = sampleMemory(server, SAMPLE_INTERVAL_MS);
    const report = await startLoad({ ...group, port: server.port, seconds }, cores.load);
    const measured = { name, seconds, report, residentBytes: Math.max(...memory.stop()) };
    all.push(measured);
    return measured;
  };
  const capacitySeconds = Math.max(1, Math.round(values.seconds / 3));
  const secrets = [secret];
  const atCapacity = { name: 'capacity', secrets, clients: CAPACITY_CLIENTS };
  await run(atCapacity, WARM_UP_SECONDS);
  const capacities = [await run(atCapacity, capacitySeconds)];
  const ratePerSecond = OVERLOAD_FACTOR * (capacities[0]?.report.servedPerSecond ?? 0);
  const openLoop = { secrets, clients: OPEN_LOOP_CLIENTS, ratePerSecond };
  const overloads: Measured[] = [];
  const half = { secrets: [secret, greedy], clients: retrying };
  for (const group of [
    { name: `${OVERLOAD_FACTOR} x capacity, open loop`, ...openLoop },
    { name: `${retrying} that retry at once`, secrets, clients: retrying },
    { name: 'the same, half of them over their rate', ...half },
  ]) {
    overloads.push(await run(group, values.seconds));
    // The speed of a shared machine changes within a minute, so each overload is compared with what
    // came right before and after it.
    capacities.push(await run(atCapacity, capacitySeconds));
  }
  await server.stop();
  const { p50, p99 } = capacities[0]?.report.accepted ?? { p50: 0, p99: 0 };
  const rates = capacities.map(({ report }) => rate(report.servedPerSecond));
  const served = sumOf(all.map(({ report }) => report.statuses['200'] ?? 0));
  const rows: Row[] = [
    { measure: 'capacity, before and after each', value: rates.join(', ') },
    { measure: 'p50 and p99 at capacity, first', value: `${ms(p50)}, ${ms(p99)}` },
    ...overloads.flatMap((measured, at) => rowsOf(measured, capacities.slice(at, at + 2))),
  ];
  return {
    report: { cores: cores.text, rows },
    shown: [`pinned: ${cores.text}`, tableOf('overload', rows)],
    wrong: [...auditServed(database, served), ...overloads.flatMap(unexpectedStatuses)],
    isMissed: rows.some(({ isMet }) => isMet === false),
  };
}

/** Compares an overload with the measurements at capacity before and after it. */
function rowsOf(measured: Measured, capacities: readonly Measured[]): Row[] {
  const { report, residentBytes } = measured;
  const mean = (read: (one: Measured) => number): number => meanOf(capacities.map(read));
  const share = report.servedPerSecond / mean((one) => one.report.servedPerSecond);
  const latency = report.accepted.p99 / mean((one) => one.report.accepted.p99);
  // What an overload took may still be there afterwards.
  const growth = residentBytes / Math.min(...capacities.map((one) => one.residentBytes));
  const responses = sumOf(Object.values(report.statuses));
  const sent = `${rate(responses / measured.seconds)}; ${countsOf(report.statuses)}`;
  const served = { bound: `>= ${SERVED_SHARE_MIN}`, isMet: share >= SERVED_SHARE_MIN };
  const p99 = `${ms(report.accepted.p99)}, ${ms(report.rejected.p99)}`;
  return [
    { measure: measured.name, value: `${sent}; ${report.unsent} not sent` },
    { measure: '  served, share of capacity', value: share.toFixed(2), ...served },
    atMost('  p99 of the served, multiple of that at capacity', latency, LATENCY_RATIO_MAX),
    { measure: '  p99 of the served, of the rejected', value: p99 },
    atMost('  rejections, p50', report.rejected.p50, REJECTION_MS_MAX, ms),
    atMost('  memory, multiple of that at capacity', growth, MEMORY_GROWTH_MAX),
    { measure: '  memory', value: `${Math.round(residentBytes / 1e6)} MB` },
  ];
}

function unexpectedStatuses({ report }: Measured): string[] {
  return Object.entries(report.statuses)
    .filter(([status]) => !EXPECTED.includes(status))
    .map(([status, count]) => `${count} requests ended with ${status} (0: a broken connection)`);
}

function rate(perSecond: number): string {
  return `${perSecond.toPrecision(3)} /s`;
}

/** Returns how to pin a server and its clients to a core each, if the machine can. Linux, with taskset. */
function findCores() {
  const on = (cores: string): string[] => ['taskset', '-c', cores];
  try {
    if (cpus().length <= LOAD_CORE) throw new Error('the machine has one core');
    const [program = '', ...args] = [...on(`${SERVER_CORE},${LOAD_CORE}`), 'true'];
    execFileSync(program, args, { stdio: 'pipe' });
  } catch (error) {
    return { server: [], load: [], text: `not pinned: ${(error as Error).message}` };
  }
  const text = `the server on core ${SERVER_CORE}, its clients on core ${LOAD_CORE}`;
  return { server: on(String(SERVER_CORE)), load: on(String(LOAD_CORE)), text };
}
