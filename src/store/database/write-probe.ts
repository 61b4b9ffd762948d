/** The smallest write: shows whether the database can be written, and changes nothing. */
import type { Connection } from './connection.ts';

/**
 * Writes what is there already, as a step of a transaction. SQLite leaves out a row that stays the
 * same, but always writes the page of this number anew.
 */
export function probeWriting(db: Connection): void {
  db.pragma(`user_version = ${Number(db.pragma('user_version', { simple: true }))}`);
}
