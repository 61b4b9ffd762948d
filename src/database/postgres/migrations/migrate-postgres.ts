/** Brings the tables of accounts to the version of this program. */
import { readSchema } from '../../schema/read-schema.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../postgres-database.ts';
import { idempotencyKeys } from './20-idempotency-keys.ts';
import { requests } from './21-requests.ts';
import { moneyDays } from './22-money-days.ts';
import { operatorTools } from './23-operator-tools.ts';
import { unconfirmedCustomers } from './24-unconfirmed-customers.ts';
import { accountProfiles } from './25-account-profiles.ts';
import { runMigrations } from './run-migrations.ts';

/** The number of the last step of `OLDEST_PROGRAM`. */
const OLDEST_VERSION = 19;

/** Those after it, by their number. A step never changes once it was released. */
const steps: readonly string[] = [
  idempotencyKeys,
  requests,
  moneyDays,
  operatorTools,
  unconfirmedCustomers,
  accountProfiles,
];

/** The files of the schema. */
const SUBJECTS = ['accounts', 'ledger', 'payments', 'paid-calls', 'lanes'];

/** Any number that nothing else uses. */
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

/** Makes what is missing. Rejects as `runMigrations` does. */
export async function migrate(database: Database): Promise<void> {
  const schema = readSchema('postgres', SUBJECTS);
  const oldest = OLDEST_VERSION;
  await runMigrations(database, {
    table: 'migrations',
    lock: MIGRATION_LOCK,
    schema,
    oldest,
    steps,
  });
}
