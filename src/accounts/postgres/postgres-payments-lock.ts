/** The lock of payments. */
import type { Database, Queries } from '../../database/postgres/postgres-database.ts';

/** Orders and events are rare, so one at a time is written. Any number that nothing else uses. */
const PAYMENTS_LOCK = 2_718_281;

/** Runs work in a transaction while nobody else writes payments. */
export function withPayments<Result>(
  database: Database,
  work: (queries: Queries) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (queries) => {
    await queries.query('SELECT pg_advisory_xact_lock($1)', [PAYMENTS_LOCK]);
    return await work(queries);
  });
}
