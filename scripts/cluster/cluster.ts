/** Puts the cluster together: databases, copies of the index, nodes, and the proxy before them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/database/postgres/postgres-database.ts';
import { openLink } from '../../test/accounts/postgres/cuttable-link.ts';
import { addAccounts } from '../accounts/store-tasks.ts';
import type { Customer } from '../measure/accounts.ts';
import { prepareIndex } from '../measure/databases.ts';
import { freePort } from '../measure/free-port.ts';
import { count, text, type ValuesOf } from '../measure/options.ts';
import { runVerbatim, startProcess } from '../measure/processes.ts';
import { healthOf } from '../measure/server.ts';
import { until } from '../measure/until.ts';
import { haproxyConfig } from './haproxy-config.ts';
import { type ClusterNode, createClusterNode } from './node.ts';
import { type PostgresPair, startPostgresPair } from './postgres-pair.ts';

export const options = {
  db: text('use a copy of this index (default: the sample)'),
  nodes: count(3, 'servers with a copy of the index'),
  clients: count(16, 'clients, half of them of one customer', 8),
  customers: count(9, 'customers, each with a key'),
  kills: count(3, 'kills of each kind: a node, the primary, a link', 1),
  seconds: count(5, 'load before each kill, and after each recovery', 3),
  seed: count(1, 'draws other moments'),
};

export type ClusterOptions = ValuesOf<typeof options>;

export interface Cluster {
  /** The port of the proxy for searches, on the loopback address. */
  port: number;
  databases: PostgresPair;
  nodes: ClusterNode[];
  customers: Customer[];
  /** The address of the accounts for commands. */
  accounts: string;
  /** Ends everything in order. */
  stop(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';
const IS_REPLICA = 'SELECT pg_is_in_recovery() AS "isReplica"';
const CHECK_LIMITS = { connectionsMax: 1, connectTimeoutMs: 5_000, statementTimeoutMs: 5_000 };

export async function startCluster(given: ClusterOptions, folder: string): Promise<Cluster> {
  const databases = await startPostgresPair(folder);
  const accountsPort = await freePort();
  const accounts = `postgres://verbatim@${LOOPBACK}:${accountsPort}/postgres`;
  const copies = await publishIndex(folder, given.db);
  const nodes: ClusterNode[] = [];
  for (let number = 1; number <= given.nodes; number++) {
    const name = `node${number}`;
    const database = join(folder, `${name}.db`);
    const [port, link] = [await freePort(), await openLink(accounts)];
    nodes.push(createClusterNode({ name, port, link, database, copies }));
  }
  const port = await freePort();
  const config = haproxyConfig({
    searches: { host: LOOPBACK, port },
    nodes: nodes.map(({ name, port }) => ({ name, host: LOOPBACK, port })),
    accounts: { host: LOOPBACK, port: accountsPort },
    databases: databases.servers.map(({ name, port }) => ({ name, host: LOOPBACK, port })),
  });
  const proxy = await startProxy(config, folder);
  // HAProxy takes each server for the primary until it has asked it.
  // It gives two connections in a row to servers in turn.
  await until('the proxy knows the primary', async () => {
    return (await endsAtPrimary(accounts)) && (await endsAtPrimary(accounts));
  });
  // The first one makes the tables.
  for (const node of nodes) await node.start();
  const added = await addAccounts({ place: accounts, name: 'customer', count: given.customers });
  const url = `http://${LOOPBACK}:${port}`;
  await until('the proxy sends searches on', async () => (await healthOf(url)).status === 200);
  return {
    port,
    databases,
    nodes,
    customers: added.map(({ customerId: id, secret }) => ({ id, secret })),
    accounts,
    async stop() {
      for (const node of nodes) await node.stop();
      proxy.kill();
      await databases.stop();
    },
  };
}

/** Publishes the index that one machine has built, or `db`, and pulls a copy. Returns the copy's folder. */
async function publishIndex(folder: string, db: string | undefined): Promise<string> {
  const built = join(folder, 'built.db');
  const published = join(folder, 'published');
  const copies = join(folder, 'copies');
  await prepareIndex(db, built);
  await runVerbatim(['index', 'publish', published, '--db', built]);
  await runVerbatim(['index', 'pull', published, '--to', copies]);
  return copies;
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
