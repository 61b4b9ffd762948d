/** Compares the indexes of a large table with its rows, in short reads. */
import type { Connection } from '../../database/sqlite/connection.ts';
import { quoted, readInOrder, readInSteps, type StoredTable } from './read-in-steps.ts';

interface IndexOfTable {
  name: string;
  /** The condition of a partial index. */
  condition: string | undefined;
  columns: string[];
}

/**
 * Looks up each row by each index, and the row of each entry without NULL. Yields after each read how
 * long it took, in milliseconds. Returns what is wrong; undefined if nothing is.
 */
export function* compareIndexes(
  db: Connection,
  table: StoredTable,
  readMs: number,
): Generator<number, string | undefined> {
  // A table without rowid is its own index, and none of the large ones has another.
  if (table.isWithoutRowid) return undefined;
  for (const index of indexesOf(db, table.name)) {
    let missing = 0;
    yield* readInSteps(db, table, {
      select: hasEntrySql(table.name, index),
      readMs,
      onRow([hasEntry]) {
        if (hasEntry !== 1n) missing++;
      },
    });
    if (missing > 0) return `${missing} rows are missing from the index ${index.name}`;
    let extra = 0;
    yield* readInOrder(db, entriesSql(table.name, index), {
      readMs,
      onRow([hasRow]) {
        if (hasRow !== 1n) extra++;
      },
    });
    if (extra > 0) return `${extra} entries of the index ${index.name} belong to no row`;
  }
  return undefined;
}

/** 1 for a row that the index leads to, or that its condition leaves out. */
function hasEntrySql(table: string, { name, condition, columns }: IndexOfTable): string {
  const from = quoted(table);
  const same = ['rowid', ...columns].map((column) => `entry.${column} IS ${from}.${column}`);
  const exists = (conditions: string[]): string =>
    `EXISTS (SELECT 1 FROM ${from} AS entry INDEXED BY ${quoted(name)}
      WHERE ${conditions.join(' AND ')})`;
  if (condition === undefined) return exists(same);
  // Within EXISTS, the condition is about the entry.
  return `(${condition}) IS NOT 1 OR ${exists([...same, `(${condition})`])}`;
}

/** Reads the entries alone, which have all columns of the condition, too. 1 for one with its row. */
function entriesSql(table: string, { name, condition, columns }: IndexOfTable) {
  const from = quoted(table);
  const same = ['rowid', ...columns].map((column) => `own.${column} IS entry.${column}`);
  return {
    keys: [...columns, 'rowid'],
    select: `EXISTS (SELECT 1 FROM ${from} AS own NOT INDEXED WHERE ${same.join(' AND ')})`,
    from: `${from} AS entry INDEXED BY ${quoted(name)}`,
    where: [...columns.map((column) => `${column} IS NOT NULL`), `(${condition ?? 'TRUE'})`].join(
      ' AND ',
    ),
  };
}

function indexesOf(db: Connection, table: string): IndexOfTable[] {
  const indexes = db
    .prepare(
      `SELECT i.name, s.sql FROM pragma_index_list(?) i JOIN sqlite_schema s ON s.name = i.name`,
    )
    .all(table) as { name: string; sql: string | null }[];
  return indexes.map(({ name, sql }) => ({
    name,
    condition: sql === null ? undefined : /\bWHERE\b(.+)$/is.exec(sql)?.[1]?.trim(),
    columns: columnsOfIndex(db, name),
  }));
}

/** An expression has no name and is left out: the other columns find the row as well. */
function columnsOfIndex(db: Connection, index: string): string[] {
  const names = db
    .prepare('SELECT name FROM pragma_index_info(?) WHERE name IS NOT NULL')
    .pluck()
    .all(index) as string[];
  return names.map(quoted);
}
