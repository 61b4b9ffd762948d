/** Puts the cluster together: databases, copies of the index, nodes, and the proxy before them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPostgresOperator } from '../../src/accounts/postgres/postgres-operator.ts';
import { commandLine } from '../../src/accounts/sql/operator-trail.ts';
import { openDatabase } from '../../src/database/postgres/postgres-database.ts';
import { indexSample } from '../bench/index-sample.ts';
import { runVerbatim, startProcess } from '../bench/processes.ts';
import type { Customer } from './client.ts';
import { freePort } from './free-port.ts';
import { haproxyConfig, type Pool } from './haproxy-config.ts';
import { bridgedNetwork, loopbackNetwork, type Network } from './network.ts';
import { type ClusterNode, createClusterNode } from './node.ts';
import type { ClusterOptions } from './options.ts';
import { type PostgresPair, startPostgresPair } from './postgres-pair.ts';
import { createShards, missingForShards, type Shards } from './shards.ts';
import { until } from './until.ts';

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
/** More than any trial spends. */
const CREDITS = 1_000_000_000;
const CAPS = { requestsPerMinute: 1_000_000_000, inFlightMax: 10_000, creditsPerMonthMax: null };
const DAY_MS = 86_400_000;
const IS_REPLICA = 'SELECT pg_is_in_recovery() AS "isReplica"';
const CHECK_LIMITS = { connectionsMax: 1, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 };

export async function startCluster(
  options: ClusterOptions & { hasNamespace: boolean },
  folder: string,
): Promise<Cluster> {
  const network = options.hasNamespace ? bridgedNetwork() : loopbackNetwork();
  const databases = await startPostgresPair(folder);
  const accountsPort = await freePort();
  const addressOf = (database: string): string =>
    `postgres://verbatim@${network.databaseHost}:${accountsPort}/${database}`;
  const accounts = addressOf('postgres');
  const built = join(folder, 'built.db');
  await indexSample(built);
  const nodes = await createNodes({ count: options.nodes, built, folder, accounts, network });
  const port = await freePort();
  const missing = await missingForShards(databases.database());
  const place = { folder, network, number: options.nodes + 1 };
  const shards =
    missing === undefined
      ? await createShards({ ...place, addressOf, accounts, leaseMs: LEASE_MS })
      : undefined;
  const config = haproxyConfig({
    pools: [
      poolOf('copies', port, nodes),
      ...(shards ? [poolOf('shards', shards.port, [shards.node])] : []),
    ],
    accounts: { host: network.databaseHost, port: accountsPort },
    databases: databases.servers.map(({ name, port }) => ({ name, host: LOOPBACK, port })),
  });
  const proxy = await startProxy(config, folder);
  // HAProxy takes each server for the primary until it has asked it.
  await until('the proxy knows the primary', () => leadsToPrimary(accounts));
  // The first one makes the tables.
  for (const node of nodes) await node.start();
  await shards?.start(databases.database(), built);
  const customers = await addCustomers(databases, options.customers);
  for (const searched of [port, ...(shards ? [shards.port] : [])]) {
    await until('the proxy sends searches on', async () => {
      return (await fetch(`http://${LOOPBACK}:${searched}/health`)).status === 200;
    });
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

interface NodesOptions {
  count: number;
  built: string;
  folder: string;
  accounts: string;
  network: Network;
}

/** Publishes the index that one machine has built. Each node pulls a copy. */
async function createNodes({ count, built, folder, accounts, network }: NodesOptions) {
  const published = join(folder, 'published');
  await runVerbatim(['index', 'publish', published, '--db', built]);
  const nodes: ClusterNode[] = [];
  for (let number = 1; number <= count; number++) {
    const name = `node${number}`;
    const copies = join(folder, `${name}-index`);
    await runVerbatim(['index', 'pull', published, '--to', copies]);
    const database = join(folder, `${name}.db`);
    const place = await network.addNode(number);
    nodes.push(
      createClusterNode({
        name,
        place,
        accounts,
        database,
        index: { copies },
        leaseMs: LEASE_MS,
      }),
    );
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
    const { secret } = await operator.createKey({ email, name: 'load', ...CAPS, now });
    customers.push({ id: customer.id, secret });
  }
  return customers;
}
