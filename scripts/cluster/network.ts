/**
 * The networks of the trial. Each node has a namespace with two cables: one to the proxy, one to the
 * database. Pulling the second out of its bridge drops all packets in both directions, and neither
 * side is told.
 *
 *   clients ─ HAProxy ─[ front ]─ node 1 ─[ back ]─ HAProxy ─ PostgreSQL
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { freePort } from '../measure/free-port.ts';
import { selfArguments, startNode, startProcess } from '../measure/processes.ts';

/** The variable that tells this measurement that it runs in a network of its own. */
const INSIDE = 'CLUSTER_INSIDE';
const EXIT_FAILED = 1;
/** A network without any host, and shared memory that ends with it. */
const UNSHARE = ['unshare', '--net', '--ipc'];
/** What cutting a link takes. */
const NEEDED = [
  ...['ip link set lo up', 'ip link add switch type bridge'],
  ...['ip link add cable type veth peer name socket', 'command -v nsenter'],
].join(' && ');
/** Addresses that RFC 5737 reserves for documentation: they are on no network. */
const FRONT = '198.51.100';
const BACK = '192.0.2';
const GATE = 1;
const FIRST_NODE = 10;
const NODE_PORT = 8080;
const BRIDGES = [
  ['front', FRONT],
  ['back', BACK],
];

/** Where a node runs, and who reaches it there. */
export interface NodePlace {
  /** The program that runs it there. */
  through: string[];
  /** The address and the port on which it listens. */
  host: string;
  port: number;
  /** Drops all packets between the node and the database, where that can be done. */
  cut?(): void;
  mend?(): void;
}

export interface Network {
  /** The address of the database for nodes. */
  databaseHost: string;
  addNode(number: number): Promise<NodePlace>;
}

/** Whether this process is in a network of its own, in which links can be cut. */
export function hasNamespace(): boolean {
  return process.env[INSIDE] !== undefined;
}

/**
 * Runs this measurement again in namespaces of its own. Resolves to its exit code, or to undefined where
 * namespaces are not to be had: without root, or without `ip`.
 */
export async function runInNamespace(): Promise<number | undefined> {
  const [program = '', ...options] = UNSHARE;
  if (hasNamespace() || process.getuid?.() !== 0) return undefined;
  if (spawnSync(program, [...options, 'sh', '-c', NEEDED]).status !== 0) return undefined;
  const env = { ...process.env, [INSIDE]: 'yes' };
  const args = selfArguments(...process.argv.slice(2));
  const child = startNode(args, { stdio: 'inherit', env }, UNSHARE);
  // It tidies up before it ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? EXIT_FAILED));
  });
}

/** Everything on the loopback address. No link can be cut. */
export function loopbackNetwork(): Network {
  return {
    databaseHost: '127.0.0.1',
    addNode: async () => ({ through: [], host: '127.0.0.1', port: await freePort() }),
  };
}

/** Bridges and namespaces. This process must be in a namespace of its own. */
export function bridgedNetwork(): Network {
  ip('link set lo up');
  for (const [bridge, network] of BRIDGES) {
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
      for (const [bridge, network] of BRIDGES) {
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
