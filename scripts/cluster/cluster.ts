/** Puts the cluster together: databases, copies of the index, nodes, and the proxy before them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPostgresOperator } from '../../src/accounts/postgres/postgres-operator.ts';
import { commandLine } from '../../src/accounts/sql/operator-trail.ts';
import { openDatabase } from '../../src/database/postgres/postgres-database.ts';
import { CREDITS, type Customer, UNLIMITED } from '../measure/accounts.ts';
import { indexSample } from '../measure/databases.ts';
import { freePort } from '../measure/free-port.ts';
import { count, type ValuesOf } from '../measure/options.ts';
import { runVerbatim, startProcess } from '../measure/processes.ts';
import { healthOf } from '../measure/server.ts';
import { until } from '../measure/until.ts';
import { haproxyConfig, type Pool } from './haproxy-config.ts';
import { bridgedNetwork, hasNamespace, loopbackNetwork, type Network } from './network.ts';
import { type ClusterNode, createClusterNode } from './node.ts';
import { type PostgresPair, startPostgresPair } from './postgres-pair.ts';
import { createShards, missingForShards, type Shards } from './shards.ts';

export const options = {
  nodes: count(3, 'servers with a copy of the index'),
  clients: count(16, 'clients, half of them of one customer', 8),
  customers: count(9, 'customers, each with a key'),
  kills: count(3, 'kills of each kind: a node, the primary, a link, a shard', 1),
  seconds: count(5, 'load before each kill, and after each recovery', 3),
  seed: count(1, 'draws other moments'),
};

export type ClusterOptions = ValuesOf<typeof options>;

export interface Cluster {
  /** The port of the proxy for searches of copies, on the loopback address. */
  port: number;
  databases: PostgresPair;
  /** The nodes that search copies. */
  nodes: ClusterNode[];
  /** Beside the others. Undefined where something is missing. */
  shards: Shards | undefined;
  /** What was left out, and why. */
  skipped: string[];
  proxyId: number;
  customers: Customer[];
  /** The address of the accounts for commands. */
  accounts: string;
  /** Ends everything in order. */
  stop(): Promise<void>;
}

/**
 * How long a node counts as alive after its last sign. A third of the default, so that trials are short.
 * It is longer than whatever a renewal may wait for.
 */
export const LEASE_MS = 10_000;
const LOOPBACK = '127.0.0.1';
const DAY_MS = 86_400_000;
const IS_REPLICA = 'SELECT pg_is_in_recovery() AS "isReplica"';
const CHECK_LIMITS = { connectionsMax: 1, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 };

export async function startCluster(given: ClusterOptions, folder: string): Promise<Cluster> {
  const network = hasNamespace() ? bridgedNetwork() : loopbackNetwork();
  const databases = await startPostgresPair(folder);
  const accountsPort = await freePort();
  const addressOf = (database: string): string =>
    `postgres://verbatim@${network.databaseHost}:${accountsPort}/${database}`;
  const accounts = addressOf('postgres');
  const built = join(folder, 'built.db');
  await indexSample(built);
  const nodes = await createNodes({ count: given.nodes, built, folder, accounts, network });
  const port = await freePort();
  const missing = await missingForShards(databases.database());
  const ofShards = async (): Promise<Shards> => {
    const place = await network.addNode(given.nodes + 1);
    const own = { name: 'shards', place, database: join(folder, 'shards.db'), accounts };
    return await createShards({ ...own, leaseMs: LEASE_MS, folder, addressOf });
  };
  const shards = missing === undefined ? await ofShards() : undefined;
  const pools = [poolOf('copies', port, nodes)];
  if (shards !== undefined) pools.push(poolOf('shards', shards.port, [shards.node]));
  const config = haproxyConfig({
    pools,
    accounts: { host: network.databaseHost, port: accountsPort },
    databases: databases.servers.map(({ name, port }) => ({ name, host: LOOPBACK, port })),
  });
  const proxy = await startProxy(config, folder);
  // HAProxy takes each server for the primary until it has asked it.
  await until('the proxy knows the primary', () => leadsToPrimary(accounts));
  // The first one makes the tables.
  for (const node of nodes) await node.start();
  await shards?.start(databases.database(), built);
  const customers = await addCustomers(databases, given.customers);
  for (const pool of pools) {
    const url = `http://${LOOPBACK}:${pool.port}`;
    await until('the proxy sends searches on', async () => (await healthOf(url)).status === 200);
  }
  return {
    port,
    databases,
    nodes,
    shards,
    customers,
    accounts,
    skipped: missing === undefined ? [] : [`shard: ${missing} is not installed`],
    proxyId: proxy.pid ?? 0,
    async stop() {
      await shards?.stop();
      for (const node of nodes) await node.stop();
      proxy.kill();
      await databases.stop();
    },
  };
}

function poolOf(name: string, port: number, nodes: readonly ClusterNode[]): Pool {
  const addresses = nodes.map((node) => ({ ...node.place, name: node.name }));
  return { name, host: LOOPBACK, port, nodes: addresses };
}

/** Publishes the index that one machine has built. Each node pulls a copy. */
async function createNodes({
  count,
  built,
  folder,
  accounts,
  network,
}: Record<'built' | 'folder' | 'accounts', string> & { count: number; network: Network }) {
  const published = join(folder, 'published');
  await runVerbatim(['index', 'publish', published, '--db', built]);
  const nodes: ClusterNode[] = [];
  for (let number = 1; number <= count; number++) {
    const name = `node${number}`;
    const copies = join(folder, `${name}-index`);
    await runVerbatim(['index', 'pull', published, '--to', copies]);
    const own = { name, accounts, database: join(folder, `${name}.db`), leaseMs: LEASE_MS };
    const index = { VERBATIM_READ_ONLY_INDEX: copies };
    nodes.push(createClusterNode({ ...own, place: await network.addNode(number), index }));
  }
  return nodes;
}

async function startProxy(config: string, folder: string) {
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, config);
  const proxy = startProcess(['haproxy', '-f', file], { stdio: ['ignore', 'ignore', 'ignore'] });
  await new Promise((resolve, reject) => {
    proxy.once('spawn', resolve);
    proxy.once('error', () => reject(new Error('install HAProxy: apt-get install haproxy')));
  });
  return proxy;
}

/** Whether two connections in a row end at the primary. HAProxy gives them to servers in turn. */
async function leadsToPrimary(url: string): Promise<boolean> {
  return (await endsAtPrimary(url)) && (await endsAtPrimary(url));
}

/** Whether a new connection ends at the primary. */
async function endsAtPrimary(url: string): Promise<boolean> {
  const database = openDatabase({ url, ...CHECK_LIMITS });
  try {
    const [row] = await database.query<{ isReplica: boolean }>(IS_REPLICA);
    return row?.isReplica === false;
  } finally {
    await database.close();
  }
}

async function addCustomers(databases: PostgresPair, count: number): Promise<Customer[]> {
  const operator = createPostgresOperator(databases.database(), commandLine);
  const customers: Customer[] = [];
  for (let number = 1; number <= count; number++) {
    const now = Date.now();
    const email = `customer-${number}@example.org`;
    const link = { linkExpiresAt: now + DAY_MS, now };
    const { customer } = await operator.addCustomer({ email, credits: CREDITS, ...link });
    const caps = { ...UNLIMITED, creditsPerMonthMax: null };
    const { secret } = await operator.createKey({ email, name: 'load', ...caps, now });
    customers.push({ id: customer.id, secret });
  }
  return customers;
}
