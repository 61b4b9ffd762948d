/**
 * The networks of the trial. Each node has a namespace with two cables: one to the proxy, one to the
 * database. Pulling the second out of its bridge drops all packets in both directions, and neither
 * side is told.
 *
 *   clients ─ HAProxy ─[ front ]─ node 1 ─[ back ]─ HAProxy ─ PostgreSQL
 */
import { execFileSync } from 'node:child_process';
import { startProcess } from '../bench/processes.ts';
import { freePort } from './free-port.ts';

/** Addresses that RFC 5737 reserves for documentation: they are on no network. */
const FRONT = '198.51.100';
const BACK = '192.0.2';
const GATE = 1;
const FIRST_NODE = 10;

/** Where a node runs, and who reaches it there. */
export interface NodePlace {
  /** The program that runs it there. */
  through: string[];
  /** The address and the port on which it listens. */
  host: string;
  port: number;
}

export interface CuttablePlace extends NodePlace {
  /** Drops all packets between the node and the database. */
  cut(): void;
  mend(): void;
}

export interface Network {
  /** The address of the database for nodes. */
  databaseHost: string;
  addNode(number: number): Promise<NodePlace | CuttablePlace>;
}

/** Everything on the loopback address. No link can be cut. */
export function loopbackNetwork(): Network {
  return {
    databaseHost: '127.0.0.1',
    addNode: async () => ({ through: [], host: '127.0.0.1', port: await freePort() }),
  };
}

const NODE_PORT = 8080;

/** Bridges and namespaces. This process must be in a namespace of its own. */
export function bridgedNetwork(): Network {
  ip('link set lo up');
  for (const [bridge, network] of [
    ['front', FRONT],
    ['back', BACK],
  ]) {
    ip(`link add ${bridge} type bridge`);
    ip(`address add ${network}.${GATE}/24 dev ${bridge}`);
    ip(`link set ${bridge} up`);
  }
  return {
    databaseHost: `${BACK}.${GATE}`,
    async addNode(number) {
      const keeper = await startKeeper();
      const through = ['nsenter', `--net=/proc/${keeper}/ns/net`];
      const own = FIRST_NODE + number;
      for (const [bridge, network] of [
        ['front', FRONT],
        ['back', BACK],
      ]) {
        ip(`link add ${bridge}${number} type veth peer name ${bridge} netns ${keeper}`);
        ip(`link set ${bridge}${number} master ${bridge} up`);
        ip(`address add ${network}.${own}/24 dev ${bridge}`, through);
        ip(`link set ${bridge} up`, through);
      }
      ip('link set lo up', through);
      return {
        through,
        host: `${FRONT}.${own}`,
        port: NODE_PORT,
        cut: () => ip(`link set back${number} nomaster`),
        mend: () => ip(`link set back${number} master back`),
      };
    },
  };
}

/** Starts a process that does nothing but keep a namespace. Resolves to its id. */
async function startKeeper(): Promise<number> {
  const announced = ['unshare', '--net', 'sh', '-c', 'echo; exec sleep infinity'];
  const keeper = startProcess(announced, { stdio: ['ignore', 'pipe', 'ignore'] });
  await new Promise((resolve, reject) => {
    keeper.once('error', reject);
    keeper.stdout?.once('data', resolve);
  });
  return keeper.pid ?? 0;
}

function ip(words: string, through: readonly string[] = []): void {
  const [program = '', ...args] = [...through, 'ip', ...words.split(' ')];
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
