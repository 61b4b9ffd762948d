/** Runs SQL work on an SQLite file. */
import type Database from 'better-sqlite3';
import { type Sql, type Statement, TAKE_LOCK, type Value } from '../sql/sql.ts';
import type { Connection } from './connection.ts';

interface PreparedStatement {
  statement: Database.Statement;
  /** For each `?` of the statement, the place of its value. */
  places: readonly number[];
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
  const { statement, places } = prepare(db, text);
  const bound = places.map((place) => storedValue(values[place]));
  if (!statement.reader) {
    statement.run(bound);
    return [];
  }
  return statement.all(bound).map(withTruthValues);
}

function prepare(db: Connection, text: string): PreparedStatement {
  const statements = prepared.get(db) ?? new Map<string, PreparedStatement>();
  prepared.set(db, statements);
  const known = statements.get(text);
  if (known !== undefined) return known;
  const places: number[] = [];
  const ownText = text
    .replace(/\s+FOR UPDATE(?: SKIP LOCKED)?\s*$/, '')
    .replace(/\$(\d+)/g, (_, place: string) => {
      places.push(Number(place) - 1);
      return '?';
    });
  const found = { statement: db.prepare(ownText), places };
  statements.set(text, found);
  return found;
}

function storedValue(value: Value | undefined): unknown {
  return typeof value === 'boolean' ? Number(value) : value;
}

function withTruthValues(row: unknown): unknown {
  for (const [name, value] of Object.entries(row as object)) {
    if (/^(?:is|has)[A-Z]/.test(name)) (row as Record<string, unknown>)[name] = Boolean(value);
  }
  return row;
}
