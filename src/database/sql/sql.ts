/**
 * SQL work that is written once for both databases. Such work is a generator that yields statements and
 * gets their rows, so it can wait for nothing but its own statements. How they run, whether in a
 * transaction, and on which database, is up to whoever runs it: `runOnSqlite` and `runOnPostgres`.
 *
 * The text is what SQLite and PostgreSQL have in common, with parameters `$1`, `$2`, … Two things differ,
 * and the runner on SQLite makes up for them: it has no locks, so `FOR UPDATE` at the end of a statement
 * and `TAKE_LOCK` are left out, since its transactions take turns anyway; and it has no truth values,
 * so a column whose name begins with `is` or `has` becomes one.
 */

type Item = string | number | boolean | Uint8Array | null;
export type Value = Item | readonly Item[];

export interface Statement {
  text: string;
  values: readonly Value[];
}

/** SQL work with a result. Nothing happens until it is run, and it can be run once. */
export type Sql<Result> = Generator<Statement, Result, unknown[]>;

/** One statement. Returns its rows: of a change, those that it returns. */
export function* query<Row = unknown>(text: string, values: readonly Value[] = []): Sql<Row[]> {
  return (yield { text, values }) as Row[];
}

/** One statement that finds at most one row. Returns the first row, or undefined. */
export function* queryFirst<Row = unknown>(
  text: string,
  values: readonly Value[] = [],
): Sql<Row | undefined> {
  const [first] = yield* query<Row>(text, values);
  return first;
}

/** Lets the other transactions of a customer wait. What is read afterwards is current. */
export function* lockCustomer(customerId: number): Sql<void> {
  yield* query('SELECT 1 FROM customers WHERE id = $1 FOR UPDATE', [customerId]);
}

export const TAKE_LOCK = 'SELECT pg_advisory_xact_lock($1)';

/** Lets the other transactions with a lock wait: any number that nothing else uses. */
export function* takeLock(lock: number): Sql<void> {
  yield* query(TAKE_LOCK, [lock]);
}
