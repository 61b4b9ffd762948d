/** Runs SQL work on PostgreSQL. */
import type { Sql } from '../sql/sql.ts';
import type { Database, Queries } from './postgres-database.ts';

/** Runs work statement by statement, in the caller's transaction if there is one. */
export async function runOnPostgres<Result>(
  { query }: Queries,
  work: Sql<Result>,
): Promise<Result> {
  let step = work.next([]);
  while (!step.done) {
    const { text, values } = step.value;
    let rows: unknown[];
    try {
      rows = await query(text, values);
    } catch (error) {
      step = work.throw(error);
      continue;
    }
    step = work.next(rows);
  }
  return step.value;
}

/** Runs work that writes, all or nothing. After a deadlock `makeWork` makes it once more. */
export function changeOnPostgres<Result>(
  { transaction }: Database,
  makeWork: () => Sql<Result>,
): Promise<Result> {
  return transaction((queries) => runOnPostgres(queries, makeWork()));
}

/** Runs work that reads one state of the database. */
export function readOnPostgres<Result>(
  { snapshot }: Database,
  makeWork: () => Sql<Result>,
): Promise<Result> {
  return snapshot((queries) => runOnPostgres(queries, makeWork()));
}
