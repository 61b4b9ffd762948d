/** What PostgreSQL says of itself, for the doctor. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import { NEWEST_ENTRIES } from '../sql/ledger-pages.ts';

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

export async function readServerState({ query }: Queries): Promise<ServerState> {
  const [row] = await query<ServerState>(
    `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now,
       (SELECT max(created_at) FROM
          (SELECT created_at FROM ledger_entries ORDER BY id DESC LIMIT ${NEWEST_ENTRIES}) AS newest)
         AS "newestEntryAt",
       (SELECT count(*) FROM pg_stat_replication) AS standbys,
       CASE WHEN current_setting('archive_mode') = 'off' THEN 'off'
         WHEN last_failed_time > coalesce(last_archived_time, '-infinity') THEN 'fails'
         ELSE 'on' END AS archiving
     FROM pg_stat_archiver`,
  );
  if (row === undefined) throw new Error('PostgreSQL says nothing of itself');
  return row;
}
