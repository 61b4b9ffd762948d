/** Runs SQL work on an SQLite file. */
import type Database from 'better-sqlite3';
import { type Sql, type Statement, TAKE_LOCK, type Value } from '../sql/sql.ts';
import type { Connection } from './connection.ts';
import { textOnSqlite } from './text-on-sqlite.ts';

interface PreparedStatement {
  statement: Database.Statement;
  /** For each `?` of the statement, the place of its value. */
  places: readonly number[];
  /** The columns of truth values. */
  truths: readonly string[];
}

/** Texts are part of the program, so there are only so many. */
const prepared = new WeakMap<Connection, Map<string, PreparedStatement>>();

/** Runs work statement by statement, in the caller's transaction if there is one. Returns its result. */
export function runOnSqlite<Result>(db: Connection, work: Sql<Result>): Result {
  let step = work.next([]);
  while (!step.done) {
    let rows: unknown[];
    try {
      rows = rowsOf(db, step.value);
    } catch (error) {
      step = work.throw(error);
      continue;
    }
    step = work.next(rows);
  }
  return step.value;
}

/** Runs work that writes, all or nothing. */
export function changeOnSqlite<Result>(db: Connection, work: Sql<Result>): Result {
  return db.transaction(() => runOnSqlite(db, work)).immediate();
}

/** Runs work that reads one state of the database. */
export function readOnSqlite<Result>(db: Connection, work: Sql<Result>): Result {
  return db.transaction(() => runOnSqlite(db, work)).deferred();
}

function rowsOf(db: Connection, { text, values }: Statement): unknown[] {
  if (text === TAKE_LOCK) return [];
  const { statement, places, truths } = prepare(db, text);
  const bound = places.map((place) => storedValue(values[place]));
  if (!statement.reader) {
    statement.run(bound);
    return [];
  }
  const rows = statement.all(bound) as Record<string, unknown>[];
  for (const name of truths) {
    for (const row of rows) row[name] = Boolean(row[name]);
  }
  return rows;
}

function prepare(db: Connection, text: string): PreparedStatement {
  let statements = prepared.get(db);
  if (statements === undefined) {
    statements = new Map();
    prepared.set(db, statements);
  }
  const known = statements.get(text);
  if (known !== undefined) return known;
  const { text: ownText, places } = textOnSqlite(text);
  const statement = db.prepare(ownText);
  const columns = statement.reader ? statement.columns() : [];
  const truths = columns.map(({ name }) => name).filter((name) => /^(?:is|has)[A-Z]/.test(name));
  const found = { statement, places, truths };
  statements.set(text, found);
  return found;
}

function storedValue(value: Value | undefined): unknown {
  return typeof value === 'boolean' ? Number(value) : value;
}
