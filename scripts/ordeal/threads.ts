/**
 * Ends threads under load. The server replaces each and says so once, and whoever was served is
 * charged, and nobody else. A build that loses a thread says so, and the next one completes the index.
 */
import { dirname, join } from 'node:path';
import { bundlePath, samplePath } from '../../src/bundle.ts';
import {
  createThreadControl,
  type DeathOrder,
  type ThreadControl,
} from '../../test/support/thread-control.ts';
import { finish, runVerbatim, startNode } from '../measure/processes.ts';
import { countsOf, type Row, say } from '../measure/report.ts';
import { healthOf, type Server } from '../measure/server.ts';
import { becomesTrue } from '../measure/until.ts';
import { startLoad } from './load.ts';
import { auditDeaths, type Ordeal, type SectionReport } from './ordeal.ts';

const CLIENTS = 16;
/** The clients end with the server. This is only for a server that does not. */
const LOAD_SECONDS_MAX = 300;
const RECOVERY_MS_MAX = 60_000;

const orders: readonly DeathOrder[] = (['search', 'ledger'] as const).flatMap((role) =>
  (['before', 'after'] as const).flatMap((when) =>
    (['throws', 'exits'] as const).map((how) => ({ role, when, how })),
  ),
);

export async function threads(ordeal: Ordeal): Promise<SectionReport> {
  const folder = dirname(await ordeal.copyIndex('build'));
  const control = createThreadControl(folder);
  const log: string[] = [];
  const { server, database, secret } = await ordeal.start('threads', {
    env: { ...control.env, VERBATIM_WARM_UP_SEARCHES: '0' },
    limits: { ledgerRetryMs: 200 },
    onLine: (line) => log.push(line),
  });
  const plan = { port: server.port, seconds: LOAD_SECONDS_MAX, secrets: [secret] };
  const loading = startLoad({ ...plan, clients: CLIENTS, endsWithServer: true }, ordeal.loadCore);
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
  const report = await loading;
  const { 0: _broken, ...statuses } = report.statuses;
  const books = auditDeaths(database, [report]);
  wrong.push(...books.wrong);
  if (books.charged < books.served) {
    wrong.push(`${books.served} searches were served, ${books.charged} were charged`);
  }
  for (const status of Object.keys(statuses).filter((one) => !['200', '503'].includes(one))) {
    const line = log.find((one) => one.includes(`"status":${status}`));
    wrong.push(`searches got ${status}: ${line}`);
  }
  rows.push({ measure: 'searches by status', value: countsOf(statuses) });
  rows.push({ measure: 'searches served, charged', value: `${books.served}, ${books.charged}` });
  const build = await loseThreadOfBuild(folder, control);
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
  const comes = (isSo: () => boolean | Promise<boolean>) => becomesTrue(isSo, RECOVERY_MS_MAX);
  control.order(order);
  if (!(await comes(control.isDone))) return ['no thread took the order'];
  // The ledger is the one part that the service cannot do without, and so /health says it.
  const expected =
    order.role === 'ledger' ? ['thread_died', 'degraded', 'recovered'] : ['thread_died'];
  await comes(() => expected.every((event) => events(event) > 0));
  const isReady = await comes(async () => (await healthOf(server.url)).status === 200);
  const servedBefore = countServed(log);
  const isServing = await comes(() => countServed(log) > servedBefore + CLIENTS);
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
  const isServed = (line: string): boolean =>
    line.includes('"path":"/v1/search"') && line.includes('"status":200');
  return log.filter(isServed).length;
}

/** A build whose embedding thread dies ends with an error. The next one adds what is missing. */
async function loseThreadOfBuild(folder: string, control: ThreadControl): Promise<SectionReport> {
  say('  embedding thread of a build …');
  const database = join(folder, 'new.db');
  const add = ['index', 'add', samplePath(), '--db', database];
  control.order({ role: 'embed', when: 'after', how: 'throws' });
  const env = { ...process.env, ...control.env };
  const child = startNode([bundlePath(), ...add], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const failure = await finish(child, 'the build').then(
    () => 'nothing',
    (error: Error) => error.message,
  );
  const isSaid = /ended with 1: .*a thread died/s.test(failure);
  const wrong = isSaid ? [] : [`a build that lost a thread said: ${failure}`];
  await runVerbatim(add);
  await runVerbatim(['index', 'verify', '--db', database]);
  const value = wrong.join('; ') || 'said, completed by the next build';
  return { rows: [{ measure: 'embedding thread throws in a build', value }], wrong };
}
