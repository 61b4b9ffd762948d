/** Whether a database has what an earlier copy of it lacks. */
import type { Connection } from '../../../database/sqlite/connection.ts';

/** Tables whose rows are lost if the copy takes the place of the database. */
const TABLES = ['ledger_entries', 'customers', 'api_keys', 'documents'] as const;

/** Returns the tables that have got rows since the copy was made. */
export function tablesWrittenSince(copy: Connection, database: Connection): string[] {
  return TABLES.filter((table) => lastRow(database, table) !== lastRow(copy, table));
}

function lastRow(db: Connection, table: string): unknown {
  return db.prepare(`SELECT max(rowid) FROM ${table}`).pluck().get();
}
