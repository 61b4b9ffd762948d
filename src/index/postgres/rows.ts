/** Many rows in one statement: as JSON, which PostgreSQL reads with the types of their table. */
import type { Queries } from '../../database/postgres/postgres-database.ts';

/** A row by its columns. */
export type Row = Readonly<Record<string, string | number | boolean | null | Buffer | number[]>>;

/** Returns the rows of a table for a statement whose parameter `$1` is their JSON. */
export function rowsOf(table: string): string {
  return `json_populate_recordset(NULL::${table}, $1::json)`;
}

export function toJson(rows: readonly Row[]): string {
  return JSON.stringify(
    rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])),
    ),
  );
}

function plain(value: Row[string]): unknown {
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`;
  // PostgreSQL refuses lone surrogates.
  return typeof value === 'string' ? value.toWellFormed() : value;
}

/** Inserts rows with the same columns. `conflict` is what follows ON CONFLICT. */
export async function insertRows(
  { query }: Queries,
  table: string,
  rows: readonly Row[],
  conflict?: string,
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first).join(', ');
  const onConflict = conflict === undefined ? '' : ` ON CONFLICT ${conflict}`;
  await query(
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${rowsOf(table)}${onConflict}`,
    [toJson(rows)],
  );
}
