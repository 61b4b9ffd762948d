/** Brings a set of tables on PostgreSQL to the version of this program. */
import { VerbatimError } from '../../../errors.ts';
import { olderTables } from '../../schema/older-tables.ts';
import type { Database, Queries } from '../postgres-database.ts';

export interface Migrations {
  /** The table that lists the steps that were run. */
  table: string;
  /** Names the advisory lock that keeps two processes from migrating at once. */
  lock: number;
  /** SQL that makes the tables of this program in an empty database. */
  schema: string;
  /** The oldest version that the steps start from. */
  oldest: number;
  /** The steps after it, by their number. A released step never changes. */
  steps: readonly PostgresStep[];
}

/** SQL, or what SQL alone can't do. */
type PostgresStep = string | ((queries: Queries) => Promise<void>);

/**
 * Makes the tables, or runs the missing steps, in one transaction. Of several processes that start at
 * once, one migrates and the others wait. Rejects with `database_unusable` for tables of a later version
 * of this program, and for those that are older than its steps.
 */
export async function runMigrations(
  database: Database,
  { table, lock, schema, oldest, steps }: Migrations,
): Promise<void> {
  await database.transaction(async (queries) => {
    const { query } = queries;
    await query('SELECT pg_advisory_xact_lock($1)', [lock]);
    await query(
      `CREATE TABLE IF NOT EXISTS ${table} (number integer PRIMARY KEY, at timestamptz NOT NULL)`,
    );
    const [found] = await query<{ version: number }>(
      `SELECT coalesce(max(number), 0) AS version FROM ${table}`,
    );
    const version = found?.version ?? 0;
    const newest = oldest + steps.length;
    if (version > newest) {
      throw new VerbatimError('database_unusable', 'a newer version of verbatim made these tables');
    }
    if (version > 0 && version < oldest) {
      throw olderTables(
        `PostgreSQL has tables of version ${version}`,
        'start a server of that version first',
      );
    }
    const record = (number: number) => query(`INSERT INTO ${table} VALUES ($1, now())`, [number]);
    if (version === 0) {
      await query(schema);
      await record(newest);
      return;
    }
    for (const [index, step] of steps.slice(version - oldest).entries()) {
      if (typeof step === 'string') await query(step);
      else await step(queries);
      await record(version + 1 + index);
    }
  });
}
