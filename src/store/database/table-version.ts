/** Reads which migrations a file has had. */
import type { Connection } from './connection.ts';

/** The number of the last migration; 0 for a file without tables of Verbatim. */
export function readTableVersion(db: Connection): number {
  return Number(db.pragma('user_version', { simple: true }));
}
