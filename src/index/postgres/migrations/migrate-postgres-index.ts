/** Opens the database of an index on PostgreSQL, with the tables of this program. */

import { runMigrations } from '../../../database/postgres/migrations/run-migrations.ts';
import {
  codeOf,
  type Database,
  type DatabaseOptions,
  openDatabase,
} from '../../../database/postgres/postgres-database.ts';
import { VerbatimError } from '../../../errors.ts';
import { paperChanges } from './03-paper-changes.ts';
import { sources } from './04-sources.ts';
import { citations } from './05-citations.ts';
import { citationCounts } from './06-citation-counts.ts';
import { authorKeys } from './07-author-keys.ts';
import { type TablesOptions, tables } from './index-tables.ts';
import { OLDEST_VERSION } from './tables-version.ts';

/** Any number that nothing else uses. */
const MIGRATION_LOCK = 7_314_160;

/** What PostgreSQL says if the files of an extension are missing, in its several versions. */
const EXTENSION_MISSING = ['0A000', '58P01'];
const NO_PERMISSION = '42501';

/** Opens the database. `TablesOptions` count only while there are no tables yet. */
export async function openIndexDatabase(
  options: DatabaseOptions & TablesOptions,
): Promise<Database> {
  const database = openDatabase(options);
  try {
    await migrateIndex(database, options);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Makes what is missing. Rejects as `runMigrations` does, and if pgvector is missing or too old. */
async function migrateIndex(database: Database, options: TablesOptions): Promise<void> {
  try {
    await runMigrations(database, {
      table: 'index_migrations',
      lock: MIGRATION_LOCK,
      schema: tables(options),
      oldest: OLDEST_VERSION,
      steps: [paperChanges, sources, citations, citationCounts, authorKeys],
    });
  } catch (error) {
    throw namingExtension(error);
  }
}

/** Tells what to do about an extension that cannot be created. */
function namingExtension(error: unknown): unknown {
  const message = error instanceof Error ? error.message : '';
  const isExtension = /extension|halfvec/.test(message);
  if (!isExtension) return error;
  const why = [...EXTENSION_MISSING, '42704'].includes(codeOf(error) || causeCodeOf(error))
    ? 'install pgvector 0.8 or later on the server of PostgreSQL'
    : codeOf(error) === NO_PERMISSION
      ? 'as a superuser, run in this database: CREATE EXTENSION vector'
      : undefined;
  if (why === undefined) return error;
  return new VerbatimError('database_unusable', `PostgreSQL: ${message}; ${why}`, { cause: error });
}

/** The SQLSTATE of what a fault wraps. */
function causeCodeOf(error: unknown): string {
  return error instanceof Error ? codeOf(error.cause) : '';
}
