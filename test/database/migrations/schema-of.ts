/** The schema of a database, as text that can be compared. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import type { Connection } from '../../../src/database/sqlite/connection.ts';

const folder = resolve(import.meta.dirname, '../../../src/database/schema/sqlite');
export const schemaFiles = [
  ...['database.sql', 'index.sql', 'lanes.sql'],
  ...['accounts.sql', 'ledger.sql', 'payments.sql'],
];

/** The SQL of each table, index and trigger by its name, without comments and layout. */
export function schemaOf(db: Connection): Record<string, string> {
  const rows = db
    .prepare("SELECT type || ' ' || name AS name, ifnull(sql, '') AS sql FROM sqlite_schema")
    .all() as { name: string; sql: string }[];
  return Object.fromEntries(rows.map(({ name, sql }) => [name, withoutLayout(sql)]));
}

/** A database in memory that the files in src/database/schema/ have made. */
export function databaseOfSchemaFiles(): Connection {
  const db = new Database(':memory:');
  for (const name of schemaFiles) db.exec(readFileSync(join(folder, name), 'utf8'));
  return db;
}

/** SQLite quotes the name of a table that was renamed. */
function withoutLayout(sql: string): string {
  return sql
    .replace(/--.*$/gm, '')
    .replaceAll('"', '')
    .replace(/\s*([(),])\s*/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}
