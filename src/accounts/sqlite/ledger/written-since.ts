/** Whether a database has what an earlier copy of it lacks. */
import { createHash } from 'node:crypto';
import type { Connection } from '../../../database/sqlite/connection.ts';

/** Tables that get a row for whatever would be lost if the copy took the place of the database. */
const GROWING = [
  ...['ledger_entries', 'payments', 'client_grants', 'operator_actions'],
  ...['documents', 'index_builds', 'paper_changes'],
] as const;
/** Tables whose rows change, too: passwords and revoked keys. Migrations keep them: `npm run upgrades`. */
const CHANGING = ['customers', 'members', 'api_keys'] as const;

/** Returns the tables that have got rows, or other values, since the copy was made. */
export function tablesWrittenSince(copy: Connection, database: Connection): string[] {
  return [
    ...GROWING.filter((table) => lastRow(database, table) !== lastRow(copy, table)),
    ...CHANGING.filter(
      (table) => hashOfRows(database, table, copy) !== hashOfRows(copy, table, database),
    ),
  ];
}

/** Null for no row, and for a table that an older version does not have. */
function lastRow(db: Connection, table: string): unknown {
  if (columnsOf(db, table).length === 0) return null;
  return db.prepare(`SELECT max(rowid) FROM ${table}`).pluck().get();
}

/** Returns a hash of all rows of a table, in the columns that it has in the other database, too. */
export function hashOfRows(db: Connection, table: string, other: Connection): string {
  const names = columnsOf(other, table);
  const columns = columnsOf(db, table)
    .filter((name) => names.includes(name))
    .sort();
  const hash = createHash('sha256');
  const rows = db.prepare(`SELECT ${columns.join(', ')} FROM ${table} ORDER BY 1, 2`).raw();
  for (const row of rows.iterate()) hash.update(JSON.stringify(row));
  return hash.digest('hex');
}

function columnsOf(db: Connection, table: string): string[] {
  return db.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[];
}
