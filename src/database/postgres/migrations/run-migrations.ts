/** Brings a set of tables on PostgreSQL to the version of this program. */
import { VerbatimError } from '../../../errors.ts';
import type { Database } from '../postgres-database.ts';

export interface Migrations {
  /** The table that lists the steps that were run. */
  table: string;
  /** Names the advisory lock that keeps two processes from migrating at once. */
  lock: number;
  /** Each step is SQL. Its number is its place in the list. A released step never changes. */
  steps: readonly string[];
}

/**
 * Runs the missing steps in one transaction. Of several processes that start at once, one migrates
 * and the others wait. Rejects with `database_unusable` if a later version of this program has
 * migrated.
 */
export async function runMigrations(
  database: Database,
  { table, lock, steps }: Migrations,
): Promise<void> {
  await database.transaction(async ({ query }) => {
    await query('SELECT pg_advisory_xact_lock($1)', [lock]);
    await query(
      `CREATE TABLE IF NOT EXISTS ${table} (number integer PRIMARY KEY, at timestamptz NOT NULL)`,
    );
    const [found] = await query<{ version: number }>(
      `SELECT coalesce(max(number), 0) AS version FROM ${table}`,
    );
    const version = found?.version ?? 0;
    if (version > steps.length) {
      throw new VerbatimError('database_unusable', 'a newer version of verbatim made these tables');
    }
    for (const [index, sql] of steps.entries()) {
      if (index < version) continue;
      await query(sql);
      await query(`INSERT INTO ${table} VALUES ($1, now())`, [index + 1]);
    }
  });
}
