/** Starts the cluster, loads it, kills its parts, measures, and audits. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Customer } from '../measure/accounts.ts';
import { runVerbatimJson } from '../measure/processes.ts';
import { createRandom, type Random } from '../measure/random.ts';
import { say } from '../measure/report.ts';
import { sampleTitles } from '../measure/sample.ts';
import { groupBy } from '../measure/statistics.ts';
import { until } from '../measure/until.ts';
import { type AuditResult, auditBooks, type Books, type Disturbance, type Entry } from './audit.ts';
import { type Exchange, OK } from './client.ts';
import { type Cluster, type ClusterOptions, startCluster } from './cluster.ts';
import { type Comparison, compareIndexes } from './compare.ts';
import { type Costs, type Figures, measure, measureCosts, type Period } from './figures.ts';
import { type KillName, killNames, kills } from './kills.ts';
import { type Load, startLoad } from './load.ts';
import { hasNamespace } from './network.ts';
import type { ClusterNode } from './node.ts';
import type { Shards } from './shards.ts';

export interface Report {
  /** Before all kills together, and around the kills of each kind; the same of shards. */
  figures: { name: string; kills: number; figures: Figures }[];
  /** The milliseconds of processor time for one answer. */
  costs: Costs;
  /** Absent if no index was on several servers. */
  comparison?: Comparison;
  audit: AuditResult;
  /** What was left out, and why. */
  skipped: string[];
  wrong: string[];
}

const SKIPPED = 'link: cutting one takes root, ip, and nsenter';
/** Of the titles of the sample, so that a trial stays short. */
const COMPARED = 50;

/** Runs the trial. All of its files are in `folder`. */
export async function runTrial(options: ClusterOptions, folder: string): Promise<Report> {
  say('starting PostgreSQL, its replica, a second PostgreSQL, the nodes, and HAProxy');
  const cluster = await startCluster(options, folder);
  const random = createRandom(`cluster ${options.seed}`);
  const trial = { cluster, options, random, questions: sampleTitles() };
  const copies = await tryCopies(trial);
  const shards = cluster.shards && (await tryShards(trial, cluster.shards));
  say('auditing');
  const exchanges = [...copies.exchanges, ...(shards?.exchanges ?? [])];
  const disturbances = [...copies.disturbances, ...(shards?.disturbances ?? [])];
  const audit = await auditCluster(cluster, { exchanges, disturbances });
  const nodes = [...cluster.nodes, ...(cluster.shards ? [cluster.shards.node] : [])];
  const defects = nodes.flatMap((node) => node.defects());
  await cluster.stop();
  return {
    costs: copies.costs,
    audit,
    figures: [...copies.figures, ...(shards?.figures ?? [])],
    ...(shards && { comparison: shards.comparison }),
    skipped: [...(hasNamespace() ? [] : [SKIPPED]), ...cluster.skipped],
    wrong: [...audit.wrong, ...(shards?.wrong ?? []), ...unexpected(exchanges), ...defects],
  };
}

interface Trial {
  cluster: Cluster;
  options: ClusterOptions;
  random: Random;
  questions: readonly string[];
}

/** Loads the nodes that search copies, and kills what they need. */
async function tryCopies(trial: Trial) {
  const { cluster, options } = trial;
  const names = killNames.filter((name) => name !== 'shard' && (name !== 'link' || hasNamespace()));
  return await underLoad(trial, { name: 'copies', port: cluster.port }, async (load) => {
    const costs = await measureCosts(cluster, load.exchanges, options.seconds);
    const killing = await killAll(trial, { names, load, nodes: cluster.nodes, quiet: 'before' });
    return { ...killing, costs };
  });
}

/**
 * Compares both kinds of nodes, and loads the one that searches several servers while it loses one of
 * them. The others have no load then, as they would have no part in it.
 */
async function tryShards(trial: Trial, { port, node }: Shards) {
  const { cluster, questions } = trial;
  const [customer] = cluster.customers as [Customer];
  say('comparing copies of the index with an index on two servers');
  const step = Math.ceil(questions.length / COMPARED);
  const { exchanges, wrong, comparison } = await compareIndexes({
    ports: { copies: cluster.port, shards: port },
    customer,
    questions: questions.filter((_, at) => at % step === 0),
  });
  const quiet = 'before, on shards';
  const killing = await underLoad(trial, { name: 'shards', port }, (load) =>
    killAll(trial, { names: ['shard'], load, nodes: [node], quiet }),
  );
  return { ...killing, exchanges: [...exchanges, ...killing.exchanges], wrong, comparison };
}

/** Does something under load, which it stops then, and tells what clients have got. */
async function underLoad<Result extends object>(
  { cluster, options, random, questions }: Trial,
  { name, port }: { name: string; port: number },
  work: (load: Load) => Promise<Result>,
) {
  const { clients } = options;
  const load = startLoad({ name, port, clients, customers: cluster.customers, random, questions });
  try {
    await until('the first answer', async () => load.exchanges.some(({ status }) => status === OK));
    const result = await work(load);
    await load.stop();
    return { ...result, exchanges: load.exchanges };
  } finally {
    // Clients without an end would keep a trial that failed from ending.
    load.abandon();
  }
}

interface Killing {
  names: readonly KillName[];
  load: Load;
  /** Those that must answer after each kill. */
  nodes: readonly ClusterNode[];
  /** The name of the time before all kills together. */
  quiet: string;
}

/** Kills parts in turn, each after some seconds of load. */
async function killAll(
  { cluster, options, random }: Trial,
  { names, load: { exchanges }, nodes, quiet }: Killing,
) {
  const before: Period[] = [];
  const around = new Map<KillName, Period[]>(names.map((name) => [name, []]));
  const disturbances: Disturbance[] = [];
  const pause = options.seconds * 1_000;
  for (let number = 1; number <= options.kills; number++) {
    for (const name of names) {
      const start = Date.now();
      // Not in step with anything that happens at intervals.
      await wait(pause + random.below(1_000));
      const from = Date.now();
      before.push({ from: start, until: from });
      disturbances.push(...(await kills[name]({ cluster, random, exchanges })));
      await untilAllAnswer(nodes, exchanges);
      const over = Date.now();
      around.get(name)?.push({ from, until: over });
      const seconds = ((over - from) / 1_000).toFixed(1);
      say(`  ${name}, kill ${number} of ${options.kills}: over after ${seconds} s`);
    }
  }
  const figures = [
    { name: quiet, kills: 0, figures: measure(exchanges, before) },
    ...[...around].map(([name, periods]) => {
      return { name: name as string, kills: periods.length, figures: measure(exchanges, periods) };
    }),
  ];
  return { figures, disturbances };
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
    `SELECT request_id AS "requestId", customer_id AS "customerId", kind, credits FROM ledger_entries`,
  );
  type Balance = { id: number; balance: number };
  const customers = await database.query<Balance>('SELECT id, balance FROM customers');
  const answers = 'SELECT request_id AS id FROM stored_answers';
  const stored = await database.query<{ id: string }>(answers);
  const result = auditBooks({
    ...noted,
    entries,
    balances: new Map(customers.map(({ id, balance }) => [id, balance])),
    stored: stored.map(({ id }) => id),
  });
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
