/** The processor time that an answer costs each part of the cluster. It hardly depends on other load. */
import { setTimeout as wait } from 'node:timers/promises';
import { familyMs, processorMs } from '../ordeal/processor-time.ts';
import type { Cluster } from './cluster.ts';
import { type Exchange, OK } from './exchange.ts';

export const partNames = ['nodes', 'primary', 'replica', 'proxy'] as const;
export type PartName = (typeof partNames)[number];
export type Costs = Record<PartName, number>;

/** Measures for so many seconds. Resolves to the milliseconds of each part for one answer. */
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
  return costsOf(before, after, answers);
}

/** Pure. */
export function costsOf(before: Costs, after: Costs, answers: number): Costs {
  const costs = partNames.map((name) => [name, (after[name] - before[name]) / answers]);
  return Object.fromEntries(costs) as Costs;
}

function processorTimes({ nodes, databases, proxyId }: Cluster): Costs {
  const [primary, replica] = databases.processIds().map(familyMs);
  return {
    nodes: sum(nodes.map((node) => processorMs(node.processId()).all)),
    primary: primary ?? 0,
    replica: replica ?? 0,
    proxy: processorMs(proxyId).all,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
