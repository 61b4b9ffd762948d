/** Many rows in one statement: an array for each column. */
import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { Value } from '../../database/sql/sql.ts';

/** The columns of rows by name, each with the type of its values on PostgreSQL. */
export type Columns = Readonly<Record<string, string>>;

type Item = Exclude<Value, readonly unknown[]>;

/** Types that an array cannot have as items. Their values are given as text. */
const AS_TEXT = ['integer[]', 'halfvec'];

/**
 * Returns `unnest(…)` as a table `r` of these columns, with its first parameter at `$1`, and the values
 * of the parameters.
 */
export function rowsAsTable(
  columns: Columns,
  rows: readonly (readonly Item[])[],
): { table: string; select: string; values: Value[] } {
  const all = Object.entries(columns);
  const arrays = all.map(
    ([, type], at) => `$${at + 1}::${AS_TEXT.includes(type) ? 'text' : type}[]`,
  );
  const names = all.map(([name]) => name);
  return {
    table: `unnest(${arrays.join(', ')}) AS r (${names.join(', ')})`,
    select: all
      .map(([name, type]) => (AS_TEXT.includes(type) ? `r.${name}::${type}` : `r.${name}`))
      .join(', '),
    values: all.map((_, at) => rows.map((row) => row[at] as Item)),
  };
}

/** Inserts rows. `conflict` is what follows ON CONFLICT. */
export async function insertRows(
  { query }: Queries,
  {
    into,
    columns,
    rows,
    conflict,
  }: { into: string; columns: Columns; rows: readonly (readonly Item[])[]; conflict?: string },
): Promise<void> {
  if (rows.length === 0) return;
  const { table, select, values } = rowsAsTable(columns, rows);
  const onConflict = conflict === undefined ? '' : ` ON CONFLICT ${conflict}`;
  await query(
    `INSERT INTO ${into} (${Object.keys(columns).join(', ')}) SELECT ${select} FROM ${table}${onConflict}`,
    values,
  );
}
