/**
 * Ends threads under load. The server replaces each and says so once, and whoever was served is
 * charged, and nobody else. A build that loses a thread says so, and the next one completes the index.
 */
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { bundlePath, samplePath } from '../../../src/bundle.ts';
import { finish, runVerbatim, startNode } from '../../bench/processes.ts';
import { sampleTitles } from '../../bench/sample-titles.ts';
import { type Server, startServer } from '../../bench/server.ts';
import { createCustomer, readBooks, UNLIMITED } from '../accounts.ts';
import { startLoad } from '../load/processes.ts';
import type { Ordeal, Row, SectionReport } from '../section.ts';
import { createThreadControl, type DeathOrder, type ThreadControl } from '../thread-control.ts';

const CLIENTS = 16;
/** The clients end with the server. This is only for a server that does not. */
const LOAD_SECONDS_MAX = 300;
const RECOVERY_MS_MAX = 60_000;
const WATCH_INTERVAL_MS = 50;

const orders: readonly DeathOrder[] = (['search', 'ledger'] as const).flatMap((role) =>
  (['before', 'after'] as const).flatMap((when) =>
    (['throws', 'exits'] as const).map((how) => ({ role, when, how })),
  ),
);

export async function threads(ordeal: Ordeal): Promise<SectionReport> {
  const { cores, say } = ordeal;
  const database = await ordeal.copyIndex('threads');
  const control = createThreadControl(dirname(database));
  const secret = createCustomer(database, 'threads', UNLIMITED);
  const log: string[] = [];
  const server = await startServer(database, {
    through: cores.server,
    env: { ...control.env, VERBATIM_WARM_UP_SEARCHES: '0', VERBATIM_LEDGER_RETRY_MS: '200' },
    onLine: (line) => log.push(line),
  });
  const plan = { port: server.port, seconds: LOAD_SECONDS_MAX, titles: sampleTitles() };
  const group = { name: 'threads', secrets: [secret], clients: CLIENTS };
  const loading = startLoad({ ...plan, groups: [group], endsWithServer: true }, cores.load);
  const rows: Row[] = [];
  const wrong: string[] = [];
  for (const order of orders) {
    const name = `${order.role} thread ${order.how} ${order.when} a task`;
    say(`  ${name} …`);
    const problems = await undergo(order, { server, control, log });
    rows.push({ measure: name, value: problems.join('; ') || 'said once, replaced, recovered' });
    wrong.push(...problems.map((problem) => `${name}: ${problem}`));
  }
  await server.stop();
  const report = (await loading)['threads'];
  const served = new Set(report?.requestIds);
  const { charged, wrong: books } = readBooks(database);
  const unjust = charged.filter((id) => !served.has(id));
  const statuses = Object.entries(report?.statuses ?? {}).filter(([status]) => status !== '0');
  wrong.push(...books);
  if (unjust.length > 0) wrong.push(`${unjust.length} searches were charged without a response`);
  if (charged.length < served.size) {
    wrong.push(`${served.size} searches were served, ${charged.length} were charged`);
  }
  for (const [status] of statuses) {
    if (['200', '503'].includes(status)) continue;
    wrong.push(
      `searches got ${status}: ${log.find((line) => line.includes(`"status":${status}`))}`,
    );
  }
  rows.push(
    {
      measure: 'searches by status',
      value: statuses.map(([status, count]) => `${status} ${count}`).join(', '),
    },
    { measure: 'searches served, charged', value: `${served.size}, ${charged.length}` },
  );
  const build = await loseThreadOfBuild(ordeal);
  return { rows: [...rows, ...build.rows], wrong: [...wrong, ...build.wrong] };
}

interface Scene {
  server: Server;
  control: ThreadControl;
  log: readonly string[];
}

/** Returns what is wrong with the death of one thread, and with the server afterwards. */
async function undergo(order: DeathOrder, { server, control, log }: Scene): Promise<string[]> {
  const before = log.length;
  const events = (event: string): number =>
    log.slice(before).filter((line) => line.includes(`"event":"${event}"`)).length;
  control.order(order);
  if (!(await becomesTrue(control.isDone))) return ['no thread took the order'];
  // The ledger is the one part that the service cannot do without, and so /health says it.
  const expected =
    order.role === 'ledger' ? ['thread_died', 'degraded', 'recovered'] : ['thread_died'];
  await becomesTrue(() => expected.every((event) => events(event) > 0));
  const isReady = await becomesTrue(async () => (await healthOf(server)) === 200);
  const servedBefore = countServed(log);
  const isServing = await becomesTrue(() => countServed(log) > servedBefore + CLIENTS);
  const others = log
    .slice(before)
    .filter((line) => line.includes('"level":"error"') && !/"thread_died"|"degraded"/.test(line));
  return [
    ...expected
      .filter((event) => events(event) !== 1)
      .map((event) => `the log says ${event} ${events(event)} times`),
    ...(isReady ? [] : ['/health stays at 503']),
    ...(isServing ? [] : ['no search is served afterwards']),
    ...others.map((line) => `the log says ${line}`),
  ];
}

function countServed(log: readonly string[]): number {
  return log.filter((line) => line.includes('"path":"/v1/search"') && line.includes('"status":200'))
    .length;
}

async function healthOf({ port }: Server): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/health`);
  await response.text();
  return response.status;
}

/** Resolves to false if it does not become true in time. */
async function becomesTrue(check: () => boolean | Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + RECOVERY_MS_MAX;
  while (performance.now() < deadline) {
    if (await check()) return true;
    await wait(WATCH_INTERVAL_MS);
  }
  return false;
}

/** A build whose embedding thread dies ends with an error. The next one adds what is missing. */
async function loseThreadOfBuild({ copyIndex, say }: Ordeal): Promise<SectionReport> {
  say('  embedding thread of a build …');
  const folder = dirname(await copyIndex('build'));
  const control = createThreadControl(folder);
  const add = ['index', 'add', samplePath(), '--db', join(folder, 'new.db')];
  control.order({ role: 'embed', when: 'after', how: 'throws' });
  const child = startNode([bundlePath(), ...add], {
    env: { ...process.env, ...control.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const failure = await finish(child, 'the build').then(
    () => '',
    (error: Error) => error.message,
  );
  const wrong: string[] = [];
  if (!/ended with 1: .*a thread died/s.test(failure)) {
    wrong.push(`a build that lost a thread said: ${failure || 'nothing'}`);
  }
  await runVerbatim(add);
  await runVerbatim(['index', 'verify', '--db', join(folder, 'new.db')]);
  const value = wrong.length === 0 ? 'said, completed by the next build' : wrong.join('; ');
  return { rows: [{ measure: 'embedding thread throws in a build', value }], wrong };
}
