/** Opens both ends of a move, and always closes them. */

import { databaseOptions, nameOfDatabase } from '../../database/postgres/database-options.ts';
import { migrate } from '../../database/postgres/migrations/migrate-postgres.ts';
import {
  codeOf,
  type Database,
  openDatabase,
  READ_ONLY,
  withoutEffect,
} from '../../database/postgres/postgres-database.ts';
import { VerbatimError } from '../../errors.ts';
import type { Settings } from '../../settings/config.ts';
import type { MoveOptions } from './move-accounts.ts';
import { openAccountFile } from './tables/account-file.ts';

export interface OpenMoveEnds {
  settings: Settings;
  store: Parameters<typeof openAccountFile>[0]['store'];
  /** Whether to change nothing, not even an old or an empty PostgreSQL. */
  isDryRun: boolean;
  isFileCreated: boolean;
}

type Ends = Pick<MoveOptions, 'file' | 'database' | 'names' | 'batchRows'>;

/**
 * Runs work with both databases. Rejects with `database_busy`, `migration_needed` or `database_unusable`
 * if one of them cannot be used.
 */
export async function withMoveEnds<Result>(
  { settings, store, isDryRun, isFileCreated }: OpenMoveEnds,
  work: (ends: Ends) => Promise<Result>,
): Promise<Result> {
  const { accountMoveBatchRows: batchRows, accountMoveBatchBytes: batchBytes } = settings;
  const address = databaseOptions(settings);
  const limits = { batchRows, batchBytes };
  const file = await openAccountFile({ store, limits, isCreated: isFileCreated });
  const database = openDatabase(address);
  const names = { file: store.path, postgres: nameOfDatabase(address.url) };
  try {
    const useEnds = async (used: Database): Promise<Result> => {
      await migrate(used);
      return await work({ file, database: used, names, batchRows });
    };
    return await (isDryRun ? withoutEffect(database, useEnds) : useEnds(database));
  } catch (error) {
    throw explain(error, names.postgres);
  } finally {
    file.close();
    await database.close();
  }
}

/** What PostgreSQL refuses, such as a change of a standby, is expected here. */
function explain(error: unknown, name: string): unknown {
  const { cause } = error as Error;
  // Elsewhere, a standby is a fault of the way to the primary.
  const rejected = codeOf(cause) === READ_ONLY ? cause : error;
  if (codeOf(rejected) === '') return error;
  const { message } = rejected as Error;
  return new VerbatimError('database_unusable', `${name}: ${message}`, { cause: error });
}
