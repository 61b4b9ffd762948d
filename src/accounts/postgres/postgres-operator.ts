/** What the operator does with accounts on PostgreSQL, beside the nodes that run and on their pages. */

import { databaseOptions } from '../../database/postgres/database-options.ts';
import { openMigrated } from '../../database/postgres/migrations/migrate-postgres.ts';
import type { Database } from '../../database/postgres/postgres-database.ts';
import { changeOnPostgres, readOnPostgres } from '../../database/postgres/run-on-postgres.ts';
import { bind } from '../../database/sql/bind.ts';
import type { Settings } from '../../settings/config.ts';
import type { OperatorStore } from '../ports/operator-store.ts';
import { changeAsOperator, operatorChanges } from '../sql/operator-changes.ts';
import { operatorReads } from '../sql/operator-reads.ts';
import type { OperatorIdentity } from '../sql/operator-trail.ts';
import { assertAccountsHere } from './postgres-account-place.ts';
import { auditLedger } from './postgres-audit.ts';

/** Connects, makes the tables if they are missing, runs work, and always disconnects. */
export async function withPostgresOperator<Result>(
  settings: Settings,
  by: OperatorIdentity,
  work: (accounts: OperatorStore) => Promise<Result>,
): Promise<Result> {
  const database = await openMigrated(databaseOptions(settings));
  try {
    await assertAccountsHere(database);
    return await work(createPostgresOperator(database, by));
  } finally {
    await database.close();
  }
}

export function createPostgresOperator(database: Database, by: OperatorIdentity): OperatorStore {
  return {
    ...bind(operatorReads, (makeWork) => readOnPostgres(database, makeWork)),
    ...bind(operatorChanges, (_, name, input) =>
      changeOnPostgres(database, () => changeAsOperator({ name, input, by, at: Date.now() })),
    ),
    audit: () => auditLedger(database),
  };
}
