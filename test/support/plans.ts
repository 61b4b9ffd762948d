/** How SQLite carries work out. */

import { query, type Sql } from '../../src/database/sql/sql.ts';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { runOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';

/** Runs work, and returns the steps of the plans of all its statements. */
export function planOf(db: Connection, work: Sql<unknown>): string[] {
  const steps: string[] = [];
  function* explaining(): Sql<void> {
    let step = work.next([]);
    while (!step.done) {
      const { text, values } = step.value;
      const rows = yield* query<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, values);
      steps.push(...rows.map(({ detail }) => detail));
      step = work.next(yield step.value);
    }
  }
  runOnSqlite(db, explaining());
  return steps;
}
