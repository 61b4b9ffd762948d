/** A cluster of the tests' own with pgvector, if it is installed. */
import { it } from 'vitest';
import { openDatabase } from '../../src/database/postgres/postgres-database.ts';
import {
  type Cluster,
  type ClusterOptions,
  startCluster,
} from '../accounts/postgres/postgres-cluster.ts';

export const DATABASE_LIMITS = {
  connectionsMax: 4,
  connectTimeoutMs: 60_000,
  statementTimeoutMs: 60_000,
};

/** Returns undefined where pgvector is missing, after a skipped test that says so. */
export async function startVectorCluster(
  options: ClusterOptions = {},
): Promise<Cluster | undefined> {
  const cluster = startCluster(options);
  const database = openDatabase({ url: cluster.url, ...DATABASE_LIMITS });
  const found = await database.query("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'");
  await database.close();
  if (found.length > 0) return cluster;
  cluster.stop();
  it.skip('needs pgvector 0.8 or later on the server of PostgreSQL, which is not installed', () => {});
  return undefined;
}

let databases = 0;

/** Makes a database of the cluster, with its tables in a tablespace if one is given. Returns its address. */
export async function makeDatabase(
  { url }: Cluster,
  { tablespace }: { tablespace?: string | undefined } = {},
): Promise<string> {
  const name = `index_${++databases}`;
  const database = openDatabase({ url, ...DATABASE_LIMITS });
  await database.query(`CREATE DATABASE ${name}`);
  // Not for the catalogs: a connection may have to write a file beside them.
  if (tablespace !== undefined) {
    await database.query(`ALTER DATABASE ${name} SET default_tablespace = ${tablespace}`);
  }
  await database.close();
  return url.replace('/postgres?', `/${name}?`);
}
