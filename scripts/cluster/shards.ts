/**
 * An index on two servers of PostgreSQL, and a node that searches it. The pair of the accounts has the
 * front, which asks both with PL/Proxy, and half of the papers. A second server has the other half.
 *
 *   node ─ HAProxy ─ primary: front ─┬─ HAProxy ─ primary: papers
 *                                    └─ second server: papers
 */
import { openStoreForReading } from '../../src/database/open.ts';
import type { Database } from '../../src/database/postgres/postgres-database.ts';
import { openOptions } from '../measure/databases.ts';
import { freePort } from '../measure/free-port.ts';
import { createPostgresServer, type PostgresServer } from '../measure/postgres-server.ts';
import { loadServers } from '../postgres-index/load-servers.ts';
import { type ClusterNode, createClusterNode, type NodeOptions } from './node.ts';

export interface Shards {
  /** The port of the proxy for its searches, on the loopback address. */
  port: number;
  node: ClusterNode;
  /** The server that has nothing but papers. */
  second: PostgresServer;
  /** Spreads the index of an SQLite file over the primary and the second server, and starts the node. */
  start(primary: Database, built: string): Promise<void>;
  stop(): Promise<void>;
}

interface ShardsOptions extends Omit<NodeOptions, 'index'> {
  folder: string;
  /** The address of a database of the primary, whichever server that is. */
  addressOf: (database: string) => string;
}

const LIMITS = { connectionsMax: 2, connectTimeoutMs: 60_000, statementTimeoutMs: 60_000 };
const FRONT = 'front';
const PAPERS = 'papers';
/** The extensions that it takes. */
const NEEDED = { vector: 'pgvector', plproxy: 'PL/Proxy' };

/** Returns what is not installed on the server; undefined if nothing is missing. */
export async function missingForShards({ query }: Database): Promise<string | undefined> {
  const rows = await query<{ name: string }>('SELECT name FROM pg_available_extensions');
  const available = rows.map(({ name }) => name);
  return Object.entries(NEEDED).find(([name]) => !available.includes(name))?.[1];
}

/** Starts nothing yet. */
export async function createShards(options: ShardsOptions): Promise<Shards> {
  const { folder, addressOf, ...ofNode } = options;
  const second = await createPostgresServer('c', folder);
  const address = addressOf(FRONT);
  const node = createClusterNode({ ...ofNode, index: { VERBATIM_INDEX: address } });
  return {
    port: await freePort(),
    node,
    second,
    async start(primary, built) {
      second.initialize();
      await second.start();
      await primary.query(`CREATE DATABASE ${FRONT}`);
      await primary.query(`CREATE DATABASE ${PAPERS}`);
      await second.database.query(`CREATE DATABASE ${PAPERS}`);
      const db = openStoreForReading(openOptions(built));
      const servers = [addressOf(PAPERS), second.urlOf(PAPERS)];
      await loadServers(db, { front: address, servers, vectorIndex: 'halfvec', ...LIMITS });
      db.close();
      await node.start();
    },
    async stop() {
      await node.stop();
      await second.stop();
    },
  };
}
