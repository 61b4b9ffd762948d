/** Brings the tables to the version of this program. */
import { VerbatimError } from '../../../errors.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../database.ts';
import { tables } from './01-tables.ts';
import { triggers } from './02-triggers.ts';
import { steps } from './03-steps.ts';
import { secondFactors } from './04-second-factors.ts';
import { members } from './05-members.ts';
import { singleRefunds } from './06-single-refunds.ts';

/** By their number, which is the place in the list. A step never changes once it was released. */
const migrations: readonly string[] = [
  tables,
  triggers,
  steps,
  secondFactors,
  members,
  singleRefunds,
];

/** Names the lock that keeps two nodes from migrating at once: any number that nothing else uses. */
const MIGRATION_LOCK = 7_314_159;

/** Opens a database whose tables are those of this program. */
export async function openMigrated(options: DatabaseOptions): Promise<Database> {
  const database = openDatabase(options);
  try {
    await migrate(database);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Makes what is missing, in one transaction. Of several nodes that start at once, one migrates and the
 * others wait. Rejects with `database_unusable` if a later version of this program has migrated.
 */
export async function migrate(database: Database): Promise<void> {
  await database.transaction(async ({ query }) => {
    await query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await query(
      'CREATE TABLE IF NOT EXISTS migrations (number integer PRIMARY KEY, at timestamptz NOT NULL)',
    );
    const [found] = await query<{ version: number }>(
      'SELECT coalesce(max(number), 0) AS version FROM migrations',
    );
    const version = found?.version ?? 0;
    if (version > migrations.length) {
      throw new VerbatimError('database_unusable', 'a newer version of verbatim made these tables');
    }
    for (const [index, sql] of migrations.entries()) {
      if (index < version) continue;
      await query(sql);
      await query('INSERT INTO migrations VALUES ($1, now())', [index + 1]);
    }
  });
}
