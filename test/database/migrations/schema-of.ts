/** The schema of an SQLite database, as text that can be compared. */
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { withoutLayout } from './without-layout.ts';

/** The SQL of each table, index and trigger by its name, without comments and layout. */
export function schemaOf(db: Connection): Record<string, string> {
  const rows = db
    .prepare("SELECT type || ' ' || name AS name, ifnull(sql, '') AS sql FROM sqlite_schema")
    .all() as { name: string; sql: string }[];
  return Object.fromEntries(rows.map(({ name, sql }) => [name, withoutLayout(sql)]));
}
