/** What PostgreSQL says of itself, for the doctor. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import { runOnPostgres } from '../../database/postgres/run-on-postgres.ts';
import { readNewestEntryTime } from '../sql/ledger-pages.ts';

export interface ServerState {
  /** By the clock of the database, in milliseconds since 1970. */
  now: number;
  /** The latest time of the newest entries of the ledger; null if there is none. */
  newestEntryAt: number | null;
  /** Standbys that are connected. */
  standbys: number;
  /** Whether its write-ahead log is archived, and whether the last attempt failed. */
  archiving: 'off' | 'on' | 'fails';
}

export async function readServerState(queries: Queries): Promise<ServerState> {
  const [row] = await queries.query<Omit<ServerState, 'newestEntryAt'>>(
    `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now,
       (SELECT count(*) FROM pg_stat_replication) AS standbys,
       CASE WHEN current_setting('archive_mode') = 'off' THEN 'off'
         WHEN last_failed_time > coalesce(last_archived_time, '-infinity') THEN 'fails'
         ELSE 'on' END AS archiving
     FROM pg_stat_archiver`,
  );
  if (row === undefined) throw new Error('PostgreSQL says nothing of itself');
  return { ...row, newestEntryAt: await runOnPostgres(queries, readNewestEntryTime()) };
}
