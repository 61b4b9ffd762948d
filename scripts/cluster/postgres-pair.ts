/**
 * A primary with one synchronous replica. A commit is answered when both have it on disk, so a
 * promoted replica has everything that anybody was told.
 */
import type { Database } from '../../src/database/postgres/postgres-database.ts';
import { createPostgresServer, type PostgresServer } from '../measure/postgres-server.ts';
import { until } from '../measure/until.ts';

export interface PostgresPair {
  servers: readonly [PostgresServer, PostgresServer];
  /** A connection to the primary of now. */
  database(): Database;
  /** Kills the primary, and promotes the replica, which goes on alone. */
  failOver(): Promise<void>;
  /** Makes the server that was killed a replica of the other one, from a new copy. */
  restore(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts both. */
export async function startPostgresPair(folder: string): Promise<PostgresPair> {
  let primary = await createPostgresServer('a', folder);
  let replica = await createPostgresServer('b', folder);
  const servers = [primary, replica] as const;
  const restore = async (): Promise<void> => {
    replica.copyFrom(primary);
    await replica.start();
    // Only now: without its replica, a primary with this setting answers no commit.
    await setSynchronous(primary, '*');
    await until('the replica is synchronous', () => isSynchronous(primary));
  };
  primary.initialize();
  await primary.start();
  await restore();
  return {
    servers,
    database: () => primary.database,
    async failOver() {
      await primary.kill();
      await replica.database.query('SELECT pg_promote()');
      [primary, replica] = [replica, primary];
    },
    restore,
    async stop() {
      await setSynchronous(primary, '');
      await replica.stop();
      await primary.stop();
    },
  };
}

async function setSynchronous({ database }: PostgresServer, names: '*' | ''): Promise<void> {
  await database.query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`);
  await database.query('SELECT pg_reload_conf()');
}

async function isSynchronous({ database }: PostgresServer): Promise<boolean> {
  const rows = await database.query(
    `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync' AND state = 'streaming'`,
  );
  return rows.length === 1;
}
