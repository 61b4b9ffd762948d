/** The smallest write: tests whether the database is writable, and changes nothing. */
import type { Connection } from './connection.ts';

/**
 * Rewrites the user version, as a step of a transaction. SQLite skips unchanged rows, but always
 * rewrites the page of this number.
 */
export function probeWriting(db: Connection): void {
  db.pragma(`user_version = ${Number(db.pragma('user_version', { simple: true }))}`);
}
