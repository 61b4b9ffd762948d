/** What clients saw around kills, and the processor time that an answer costs each part of the cluster. */
import { setTimeout as wait } from 'node:timers/promises';
import { familyMs, processorMs } from '../measure/processor-time.ts';
import { quantile, sumOf } from '../measure/statistics.ts';
import { type Exchange, OK } from './client.ts';
import type { Cluster } from './cluster.ts';

/** From `from` to `until`, in milliseconds since 1970. */
export interface Period {
  from: number;
  until: number;
}

export interface Figures {
  answersPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Requests that were refused: 429 or 503. */
  refused: number;
  /** Requests without an answer: a connection that ended, or another status. */
  failed: number;
  /** The longest time without an answer to anybody. The largest of all periods. */
  pauseMs: number;
}

const REFUSED = [429, 503];

/** Adds up periods of one kind. Pure. */
export function measure(exchanges: readonly Exchange[], periods: readonly Period[]): Figures {
  const within = periods.map((period) =>
    exchanges.filter(({ endedAt }) => endedAt >= period.from && endedAt < period.until),
  );
  const all = within.flat();
  const answers = all.filter(({ status }) => status === OK);
  const times = answers.map(({ sentAt, endedAt }) => endedAt - sentAt);
  const seconds = sumOf(periods.map(({ from, until }) => until - from)) / 1_000;
  const refused = all.filter(({ status }) => REFUSED.includes(status)).length;
  return {
    answersPerSecond: answers.length / seconds,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    refused,
    failed: all.length - answers.length - refused,
    pauseMs: Math.max(0, ...periods.map((period, at) => longestPause(within[at] ?? [], period))),
  };
}

/** The longest time in a period in which nobody got an answer. */
export function longestPause(exchanges: readonly Exchange[], { from, until }: Period): number {
  const ends = exchanges.filter(({ status }) => status === OK).map(({ endedAt }) => endedAt);
  const sorted = [from, ...ends.sort((a, b) => a - b), until];
  return Math.max(...sorted.slice(1).map((end, index) => end - (sorted[index] ?? end)));
}

export const partNames = ['nodes', 'primary', 'replica', 'proxy'] as const;
/** The milliseconds of processor time of each part. Unlike durations, it hardly depends on other load. */
export type Costs = Record<(typeof partNames)[number], number>;

/** Measures for so many seconds. Resolves to the costs of one answer. */
export async function measureCosts(
  cluster: Cluster,
  exchanges: readonly Exchange[],
  seconds: number,
): Promise<Costs> {
  const seen = exchanges.length;
  const before = processorTimes(cluster);
  await wait(seconds * 1_000);
  const after = processorTimes(cluster);
  const answers = exchanges.slice(seen).filter(({ status }) => status === OK).length;
  const costs = partNames.map((name) => [name, (after[name] - before[name]) / answers]);
  return Object.fromEntries(costs) as Costs;
}

function processorTimes({ nodes, databases, proxyId }: Cluster): Costs {
  const [primary = 0, replica = 0] = databases.processIds().map(familyMs);
  const ofNodes = sumOf(nodes.map((node) => processorMs(node.processId()).all));
  return { nodes: ofNodes, primary, replica, proxy: processorMs(proxyId).all };
}
