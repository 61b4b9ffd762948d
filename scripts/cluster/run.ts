/** Starts the cluster, loads it, kills its parts, measures, and audits. */
import { setTimeout as wait } from 'node:timers/promises';
import { describeMachine, type Machine } from '../bench/machine.ts';
import { runVerbatimJson } from '../bench/processes.ts';
import { createRandom, type Random } from '../bench/random.ts';
import { sampleTitles } from '../bench/sample-titles.ts';
import { type AuditResult, auditBooks, type Disturbance, type Entry } from './audit.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { type Costs, measureCosts } from './cost.ts';
import { type Exchange, OK } from './exchange.ts';
import { type KillName, killNames, kills } from './kills.ts';
import { type Load, startLoad } from './load.ts';
import { type Figures, measure, type Period } from './measure.ts';
import type { ClusterOptions } from './options.ts';
import { until } from './until.ts';

export type TrialOptions = ClusterOptions & { hasNamespace: boolean };

export interface Report {
  machine: Machine;
  options: TrialOptions;
  /** Before all kills together, and around the kills of each kind. */
  figures: { name: string; kills: number; figures: Figures }[];
  /** The milliseconds of processor time for one answer. */
  costs: Costs;
  audit: AuditResult;
  /** What was left out, and why. */
  skipped: string[];
  wrong: string[];
}

const SKIPPED = 'link: cutting one takes root, ip, and nsenter';

/** Runs the trial. All of its files are in `folder`. */
export async function runTrial(options: TrialOptions, folder: string): Promise<Report> {
  const machine = describeMachine();
  say('starting PostgreSQL, its replica, the nodes, and HAProxy');
  const cluster = await startCluster(options, folder);
  const random = createRandom(`cluster ${options.seed}`);
  const load = startLoad({
    port: cluster.port,
    clients: options.clients,
    customers: cluster.customers,
    random,
    questions: sampleTitles(),
  });
  // Clients without an end would keep a trial that failed from ending.
  const trial = await runUnderLoad({ cluster, options, random, load }).finally(load.abandon);
  await cluster.stop();
  const rows: [string, readonly Period[]][] = [['before', trial.quiet], ...trial.disturbed];
  return {
    machine,
    options,
    costs: trial.costs,
    audit: trial.audit,
    figures: rows.map(([name, periods]) => ({
      name,
      kills: name === 'before' ? 0 : periods.length,
      figures: measure(load.exchanges, periods),
    })),
    skipped: options.hasNamespace ? [] : [SKIPPED],
    wrong: [...trial.audit.wrong, ...unexpected(load.exchanges), ...trial.defects],
  };
}

interface Trial {
  cluster: Cluster;
  options: TrialOptions;
  random: Random;
  load: Load;
}

/** Measures, kills, and audits. It stops the load before the audit. */
async function runUnderLoad({ cluster, options, random, load }: Trial) {
  const { exchanges } = load;
  await until('the first answer', async () => exchanges.some(({ status }) => status === OK));
  const costs = await measureCosts(cluster, exchanges, options.seconds);
  const killing = await killAll({ cluster, options, random, load });
  await load.stop();
  say('auditing');
  const audit = await auditCluster(cluster, { exchanges, disturbances: killing.disturbances });
  return { ...killing, costs, audit, defects: cluster.nodes.flatMap((node) => node.defects()) };
}

/** Kills parts in turn, each after some seconds of load. */
async function killAll({ cluster, options, random, load }: Trial) {
  const names = killNames.filter((name) => name !== 'link' || options.hasNamespace);
  const quiet: Period[] = [];
  const disturbed = new Map<KillName, Period[]>(names.map((name) => [name, []]));
  const disturbances: Disturbance[] = [];
  const pause = options.seconds * 1_000;
  for (let number = 1; number <= options.kills; number++) {
    for (const name of names) {
      const start = Date.now();
      // Not in step with anything that happens at intervals.
      await wait(pause + random.below(1_000));
      const from = Date.now();
      quiet.push({ from: start, until: from });
      disturbances.push(...(await kills[name](cluster, random)));
      await untilAllAnswer(cluster, load.exchanges);
      const over = Date.now();
      disturbed.get(name)?.push({ from, until: over });
      const seconds = ((over - from) / 1_000).toFixed(1);
      say(`  ${name}, kill ${number} of ${options.kills}: over after ${seconds} s`);
    }
  }
  return { quiet, disturbed, disturbances };
}

/** Resolves when each node has answered a search that was sent from now on. */
async function untilAllAnswer({ nodes }: Cluster, exchanges: readonly Exchange[]): Promise<void> {
  const since = Date.now();
  const seen = exchanges.length;
  await until('all nodes answer', async () => {
    const fresh = exchanges
      .slice(seen)
      .filter(({ status, sentAt }) => status === OK && sentAt >= since);
    return nodes.every(({ name }) => fresh.some(({ node }) => node === name));
  });
}

interface Noted {
  exchanges: readonly Exchange[];
  disturbances: readonly Disturbance[];
}

/** Waits until nothing is held any more, and compares the ledger with what clients got. */
async function auditCluster(cluster: Cluster, noted: Noted): Promise<AuditResult> {
  const database = cluster.databases.database();
  await until('no credit is held', async () => {
    return (await database.query('SELECT 1 FROM open_holds LIMIT 1')).length === 0;
  });
  const entries = await database.query<Entry>(
    `SELECT request_id AS "requestId", customer_id AS "customerId", kind, credits FROM ledger_entries`,
  );
  const customers = await database.query<{ id: number; balance: number }>(
    'SELECT id, balance FROM customers',
  );
  const stored = await database.query<{ id: string }>(
    'SELECT request_id AS id FROM stored_answers',
  );
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
  const known = new Set([0, OK, 409, 502, 503, 504]);
  const others = exchanges.filter(({ status }) => !known.has(status));
  const statuses = new Set(others.map(({ status }) => status));
  return [...statuses].map((status) => {
    const ids = others.filter((one) => one.status === status).map(({ requestId }) => requestId);
    return `${ids.length} responses with ${status}, such as to ${ids[0]}`;
  });
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
