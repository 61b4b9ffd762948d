/** Refuses what only an index on one server can do. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import { VerbatimError } from '../../errors.ts';
import { INDEX_NAME } from './index-name.ts';

/** Whether the database is the front of an index on several servers. */
export const IS_SPREAD_SQL = "to_regproc('run_on_servers') IS NOT NULL";

/** Rejects with `database_unusable` if the documents are on several servers. */
export async function assertOneServer({ query }: Queries): Promise<void> {
  const [row] = await query<{ spread: boolean }>(`SELECT ${IS_SPREAD_SQL} AS spread`);
  if (row?.spread !== true) return;
  throw new VerbatimError(
    'database_unusable',
    `${INDEX_NAME} is on several servers, which can be searched and not changed or checked; use the index that it was loaded from`,
  );
}
