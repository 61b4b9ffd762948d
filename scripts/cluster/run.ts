/** Starts the cluster, loads it, kills its parts, measures, and audits. */
import { setTimeout as wait } from 'node:timers/promises';
import { runVerbatimJson } from '../measure/processes.ts';
import { createRandom } from '../measure/random.ts';
import { say } from '../measure/report.ts';
import { sampleTitles } from '../measure/sample.ts';
import { groupBy } from '../measure/statistics.ts';
import { until } from '../measure/until.ts';
import { type AuditResult, auditBooks, type Books, type Disturbance, type Entry } from './audit.ts';
import { type Cluster, type ClusterOptions, startCluster } from './cluster.ts';
import { type Figures, measure, type Period } from './figures.ts';
import { type KillName, killNames, kills } from './kills.ts';
import { type Exchange, OK, startLoad } from './load.ts';
import type { ClusterNode } from './node.ts';

export interface Report {
  /** Before all kills together, and around the kills of each kind. */
  figures: { name: string; kills: number; figures: Figures }[];
  audit: AuditResult;
  wrong: string[];
}

/** Runs the trial. All of its files are in `folder`. */
export async function runTrial(options: ClusterOptions, folder: string): Promise<Report> {
  say('starting PostgreSQL, its replica, the nodes, and HAProxy');
  const cluster = await startCluster(options, folder);
  const { exchanges, disturbances, figures } = await killUnderLoad(cluster, options);
  say('auditing');
  const audit = await auditCluster(cluster, { exchanges, disturbances });
  const defects = cluster.nodes.flatMap((node) => node.defects());
  await cluster.stop();
  return { audit, figures, wrong: [...audit.wrong, ...unexpected(exchanges), ...defects] };
}

/** Loads the nodes, and kills parts in turn, each after some seconds of load. Returns what clients got. */
async function killUnderLoad(cluster: Cluster, options: ClusterOptions) {
  const random = createRandom(`cluster ${options.seed}`);
  const questions = sampleTitles();
  const { port, nodes, customers } = cluster;
  const load = startLoad({ port, clients: options.clients, customers, random, questions });
  const { exchanges } = load;
  const before: Period[] = [];
  const around = new Map<KillName, Period[]>(killNames.map((kind) => [kind, []]));
  const disturbances: Disturbance[] = [];
  try {
    await until('the first answer', async () => exchanges.some(({ status }) => status === OK));
    for (let number = 1; number <= options.kills; number++) {
      for (const kind of killNames) {
        const start = Date.now();
        // Not in step with anything that happens at intervals.
        await wait(options.seconds * 1_000 + random.below(1_000));
        const from = Date.now();
        before.push({ from: start, until: from });
        disturbances.push(...(await kills[kind](cluster, random)));
        await untilAllAnswer(nodes, exchanges);
        const over = Date.now();
        around.get(kind)?.push({ from, until: over });
        const seconds = ((over - from) / 1_000).toFixed(1);
        say(`  ${kind}, kill ${number} of ${options.kills}: over after ${seconds} s`);
      }
    }
    await load.stop();
  } finally {
    // Clients without an end would keep a trial that failed from ending.
    load.abandon();
  }
  const quiet = { name: 'before', kills: 0, figures: measure(exchanges, before) };
  const figures: Report['figures'] = [quiet];
  for (const [kind, periods] of around) {
    figures.push({ name: kind, kills: periods.length, figures: measure(exchanges, periods) });
  }
  return { exchanges, disturbances, figures };
}

/** Resolves when each node has answered a search that was sent from now on. */
async function untilAllAnswer(
  nodes: readonly ClusterNode[],
  exchanges: readonly Exchange[],
): Promise<void> {
  const since = Date.now();
  const seen = exchanges.length;
  await until('all nodes answer', async () => {
    const isFresh = ({ status, sentAt }: Exchange): boolean => status === OK && sentAt >= since;
    const fresh = exchanges.slice(seen).filter(isFresh);
    return nodes.every(({ name }) => fresh.some(({ node }) => node === name));
  });
}

/** Waits until nothing is held any more, and compares the ledger with what clients got. */
async function auditCluster(
  cluster: Cluster,
  noted: Pick<Books, 'exchanges' | 'disturbances'>,
): Promise<AuditResult> {
  const database = cluster.databases.database();
  await until('no credit is held', async () => {
    return (await database.query('SELECT 1 FROM open_holds LIMIT 1')).length === 0;
  });
  const entries = await database.query<Entry>(
    'SELECT request_id AS "requestId", kind FROM ledger_entries',
  );
  const answers = 'SELECT request_id AS id FROM stored_answers';
  const stored = await database.query<{ id: string }>(answers);
  const result = auditBooks({ ...noted, entries, stored: stored.map(({ id }) => id) });
  process.env['VERBATIM_ACCOUNTS'] = cluster.accounts;
  const own = await runVerbatimJson<{ differences: unknown[]; held: number }>(['credit', 'audit']);
  const wrong = own.differences.map((one) => `verbatim credit audit: ${JSON.stringify(one)}`);
  return { ...result, wrong: [...result.wrong, ...wrong] };
}

/** Answers that no kill explains. */
function unexpected(exchanges: readonly Exchange[]): string[] {
  const others = exchanges.filter(({ status }) => ![0, OK, 409, 502, 503, 504].includes(status));
  return [...groupBy(others, ({ status }) => String(status))].map(
    ([status, some]) => `${some.length} responses with ${status}, such as to ${some[0]?.requestId}`,
  );
}
