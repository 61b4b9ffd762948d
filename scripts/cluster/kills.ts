/** The kinds of kills: what is done, and when it is over. */
import { setTimeout as wait } from 'node:timers/promises';
import { oneOf, type Random } from '../measure/random.ts';
import type { Disturbance } from './audit.ts';
import type { Cluster } from './cluster.ts';
import { LEASE_MS } from './node.ts';

export const killNames = ['node', 'primary', 'link'] as const;
export type KillName = (typeof killNames)[number];

/** Kills, and resolves when everything is as before. */
type Kill = (cluster: Cluster, random: Random) => Promise<Disturbance[]>;

/** A node is started again so long after its death. */
const DEAD_MS = 1_000;
/** Cuts are up to so many leases long: others may then release the holds of a node that lives. */
const CUT_LEASES_MAX = 1.5;

export const kills: Record<KillName, Kill> = {
  async node({ nodes }, random) {
    const node = oneOf(nodes, random);
    const from = Date.now();
    await node.kill();
    await wait(DEAD_MS);
    await node.start();
    return [{ node: node.name, from, until: Date.now() }];
  },
  async primary({ databases, nodes }) {
    const from = Date.now();
    await databases.failOver();
    await databases.restore();
    return nodes.map(({ name }) => ({ node: name, from, until: Date.now() }));
  },
  async link({ nodes }, random) {
    const node = oneOf(nodes, random);
    const from = Date.now();
    node.link.cut();
    await wait(random.below(CUT_LEASES_MAX * LEASE_MS));
    node.link.mend();
    node.link.deliverLate();
    return [{ node: node.name, from, until: Date.now() }];
  },
};
