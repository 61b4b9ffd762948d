/** Copies the index of an SQLite file to several servers of PostgreSQL, with a front that asks them. */

import {
  type DatabaseOptions,
  openDatabase,
} from '../../src/database/postgres/postgres-database.ts';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { openIndexDatabase } from '../../src/index/postgres/migrations/migrate-postgres-index.ts';
import { RUN_HERE, runOnServers } from './functions.ts';
import { type IndexState, type LoadOptions, loadIndex } from './load-index.ts';

export interface ServersToLoad extends Omit<DatabaseOptions, 'url'> {
  /** The address of the front, which searches use. */
  front: string;
  /** The addresses of the servers, as the front reaches them: 2, 4, or 8, as PL/Proxy wants it. */
  servers: readonly string[];
  vectorIndex: LoadOptions['vectorIndex'];
}

/**
 * Replaces the index. A server has the documents whose number leaves its place as remainder. Searches fail
 * from the moment when the first server has its new rows until the front has. Rejects with `usage` if the
 * servers have several logins.
 */
export async function loadServers(
  db: Connection,
  { front, servers, vectorIndex, ...limits }: ServersToLoad,
): Promise<void> {
  const definition = runOnServers(servers);
  const shards = servers.length;
  const tables = { shards: 1, vectorIndex };
  const onFront = await openIndexDatabase({ url: front, ...limits, ...tables });
  const [state] = await onFront.query<IndexState>(
    'SELECT id, revision + 1 AS revision FROM index_facts',
  );
  for (const [part, url] of servers.entries()) {
    const server = await openIndexDatabase({ url, ...limits, ...tables });
    await server.query(RUN_HERE);
    await loadIndex(db, server, { shards, vectorIndex, part, state });
    await server.close();
  }
  await loadIndex(db, onFront, { shards, vectorIndex, part: 'front', state });
  await onFront.close();
  // PL/Proxy keeps the servers that a connection has called, so the new ones get a new connection.
  const defining = openDatabase({ url: front, ...limits });
  await defining.transaction(({ query }) => query(definition));
  await defining.close();
}
