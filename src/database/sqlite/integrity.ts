/** SQLite's own check of a file: pages, rows, and foreign keys. */
import type { Connection } from './connection.ts';

/**
 * Returns the first problem of the pages and rows, undefined if there is none. Does not compare
 * indexes with their tables, which takes most of the time.
 */
export function quickProblem(db: Connection): string | undefined {
  const text = String(db.prepare('PRAGMA quick_check(1)').pluck().get());
  return text === 'ok' ? undefined : `SQLite: ${text}`;
}

/**
 * Returns the first problem of a table, of its indexes, or of the full text; undefined if there is
 * none. For `sqlite_schema`, the list of unused pages is checked as well.
 */
export function tableProblem(db: Connection, table: string): string | undefined {
  const text = String(db.prepare(`PRAGMA integrity_check('${table}')`).pluck().get());
  return text === 'ok' ? undefined : text;
}

/** Returns one sentence per problem; none if the file is sound. Reads the whole file. */
export function integrityProblems(db: Connection): string[] {
  const pages = db.prepare('PRAGMA integrity_check').pluck().all() as string[];
  const keys = db.prepare('PRAGMA foreign_key_check').all();
  return [
    ...pages.filter((text) => text !== 'ok').map((text) => `SQLite: ${text}`),
    ...keys.map((row) => `SQLite: a foreign key has no row: ${JSON.stringify(row)}`),
  ];
}
