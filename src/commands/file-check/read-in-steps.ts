/**
 * Reads all rows of a table in short reads. None of them is open when the next begins, so that writers
 * can start the write-ahead log again in between.
 */
import type { Connection } from '../../database/sqlite/connection.ts';

export interface StoredTable {
  name: string;
  isWithoutRowid: boolean;
}

export interface ReadInSteps extends ReadRows {
  /** What is read of each row: expressions over the columns of the table. */
  select: string;
}

export interface ReadRows {
  /** A read ends with the first row after this time. */
  readMs: number;
  /** Takes the values of the expressions. */
  onRow: (values: unknown[]) => void;
}

/** Returns the tables that hold rows. Those behind the full text are among them, the full text is not. */
export function storedTables(db: Connection): StoredTable[] {
  const rows = db
    .prepare(
      `SELECT name, wr FROM pragma_table_list
       WHERE schema = 'main' AND type IN ('table', 'shadow') ORDER BY name`,
    )
    .all() as { name: string; wr: number }[];
  return rows.map(({ name, wr }) => ({ name, isWithoutRowid: wr === 1 }));
}

/** Returns the columns of a table. */
export function columnsOf(db: Connection, table: string): { name: string; pk: number }[] {
  return db.prepare('SELECT name, pk FROM pragma_table_info(?)').all(table) as {
    name: string;
    pk: number;
  }[];
}

/**
 * Reads in the order of the primary key. Yields after each read how long it took, in milliseconds.
 * A row that is added or removed meanwhile is read or not; no other row is left out.
 */
export function readInSteps(
  db: Connection,
  table: StoredTable,
  { select, ...read }: ReadInSteps,
): Generator<number> {
  const keys = table.isWithoutRowid ? primaryKeyOf(db, table.name) : ['rowid'];
  return readInOrder(db, { keys, select, from: quoted(table.name), where: 'TRUE' }, read);
}

/** Does the same with rows of anything, in the order of keys that are not NULL. */
export function* readInOrder(
  db: Connection,
  sql: { keys: string[]; select: string; from: string; where: string },
  { readMs, onRow }: ReadRows,
): Generator<number> {
  const { keys, select, from, where } = sql;
  const key = keys.join(', ');
  const read = (condition: string) =>
    db
      .prepare(`SELECT ${key}, ${select} FROM ${from} WHERE ${condition} ORDER BY ${key}`)
      // Numbers of rows may be larger than a JavaScript number holds exactly.
      .safeIntegers()
      .raw();
  const first = read(where);
  // Rows with the same key but for its last part, then those with the same but for the last two, and so
  // on: a comparison of all parts at once would begin at the first part alone in some indexes.
  const following = keys.map((last, at) => {
    const same = keys.slice(0, at).map((one) => `${one} = ?`);
    return read([where, ...same, `${last} > ?`].join(' AND '));
  });
  function* rowsAfter(values: readonly unknown[]): Generator<unknown> {
    for (let parts = keys.length; parts > 0; parts--) {
      yield* following[parts - 1]?.iterate(...values.slice(0, parts)) ?? [];
    }
  }
  let after: unknown[] | undefined;
  for (let isDone = false; !isDone; ) {
    const begin = performance.now();
    isDone = true;
    for (const row of after === undefined ? first.iterate() : rowsAfter(after)) {
      const values = row as unknown[];
      onRow(values.slice(keys.length));
      after = values.slice(0, keys.length);
      if (performance.now() - begin < readMs) continue;
      isDone = false;
      break;
    }
    yield performance.now() - begin;
  }
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function primaryKeyOf(db: Connection, table: string): string[] {
  return columnsOf(db, table)
    .filter(({ pk }) => pk > 0)
    .sort((one, other) => one.pk - other.pk)
    .map(({ name }) => quoted(name));
}
