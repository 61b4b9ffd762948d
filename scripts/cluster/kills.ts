/** The kinds of kills: what is done, and when it is over. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../measure/random.ts';
import { until } from '../measure/until.ts';
import type { Disturbance } from './audit.ts';
import { type Exchange, UNAVAILABLE } from './client.ts';
import { type Cluster, LEASE_MS } from './cluster.ts';
import type { CuttablePlace } from './network.ts';
import type { ClusterNode } from './node.ts';

export const killNames = ['node', 'primary', 'link', 'shard'] as const;
export type KillName = (typeof killNames)[number];

interface Scene {
  cluster: Cluster;
  random: Random;
  /** What clients have got so far. It grows. */
  exchanges: readonly Exchange[];
}

/** Kills, and resolves when everything is as before. */
type Kill = (scene: Scene) => Promise<Disturbance[]>;

/** A node is started again so long after its death. */
const DEAD_MS = 1_000;
/** Cuts are up to so many leases long: others may then release the holds of a node that lives. */
const CUT_LEASES_MAX = 1.5;

export const kills: Record<KillName, Kill> = {
  async node({ cluster: { nodes }, random }) {
    const node = oneOf(nodes, random);
    const from = Date.now();
    await node.kill();
    await wait(DEAD_MS);
    await node.start();
    return [{ node: node.name, from, until: Date.now() }];
  },
  async primary({ cluster: { databases, nodes } }) {
    const from = Date.now();
    await databases.failOver();
    await databases.restore();
    return nodes.map(({ name }) => ({ node: name, from, until: Date.now() }));
  },
  async link({ cluster: { nodes }, random }) {
    const node = oneOf(nodes, random);
    const place = node.place as CuttablePlace;
    const from = Date.now();
    place.cut();
    await wait(random.below(CUT_LEASES_MAX * LEASE_MS));
    place.mend();
    return [{ node: node.name, from, until: Date.now() }];
  },
  /** Its node goes on, and can write what it answers, so this explains no answer that is free. */
  async shard({ cluster: { shards, databases }, exchanges }) {
    const seen = exchanges.length;
    await shards?.second.kill();
    await until('a search fails without its shard, and gets its credit back', async () => {
      const failed = exchanges.slice(seen).filter(isRefusedByNode);
      const ids = failed.flatMap(({ requestId = [] }) => requestId);
      return (await databases.database().query(RELEASED, [ids])).length > 0;
    });
    await shards?.second.start();
    return [];
  },
};

const RELEASED = `SELECT 1 FROM ledger_entries WHERE kind = 'release' AND request_id = ANY($1) LIMIT 1`;

/** The proxy itself gives no request id. */
function isRefusedByNode({ status, requestId }: Exchange): boolean {
  return status === UNAVAILABLE && requestId !== undefined;
}

function oneOf(nodes: readonly ClusterNode[], random: Random): ClusterNode {
  return nodes[random.below(nodes.length)] as ClusterNode;
}
