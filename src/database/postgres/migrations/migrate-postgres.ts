/** Brings the tables to the version of this program. */
import { type Database, type DatabaseOptions, openDatabase } from '../postgres-database.ts';
import { tables } from './01-account-tables.ts';
import { triggers } from './02-triggers.ts';
import { steps } from './03-steps.ts';
import { secondFactors } from './04-second-factors.ts';
import { members } from './05-members.ts';
import { trailOfOperators } from './06-trail-of-operators.ts';
import { tries } from './07-tries.ts';
import { lanes } from './08-lanes.ts';
import { singleRefunds } from './09-single-refunds.ts';
import { billingNotices } from './10-billing-notices.ts';
import { placeOfAccounts } from './11-place-of-accounts.ts';
import { automaticTopUps } from './12-automatic-top-ups.ts';
import { buyers } from './13-buyers.ts';
import { operators } from './14-operators.ts';
import { keptAudits } from './15-kept-audits.ts';
import { outcomesOfSearches } from './16-outcomes-of-searches.ts';
import { listsAtOnce } from './17-lists-at-once.ts';
import { formsOfKeys } from './18-forms-of-keys.ts';
import { answersReplaced } from './19-answers-replaced.ts';
import { runMigrations } from './run-migrations.ts';

/** By their number, which is the place in the list. A step never changes once it was released. */
export const migrations: readonly string[] = [
  tables,
  triggers,
  steps,
  secondFactors,
  members,
  trailOfOperators,
  tries,
  lanes,
  singleRefunds,
  billingNotices,
  placeOfAccounts,
  automaticTopUps,
  buyers,
  operators,
  keptAudits,
  outcomesOfSearches,
  listsAtOnce,
  formsOfKeys,
  answersReplaced,
];

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
  await runMigrations(database, { table: 'migrations', lock: MIGRATION_LOCK, steps: migrations });
}
