/** Deletes so that nothing stays in the free parts of the file. */
import type { Connection } from './connection.ts';

/**
 * Runs work whose deleted and replaced content SQLite overwrites with zeros. It takes more writing, so
 * it is for what persons want gone.
 */
export function deletingSecurely<Result>(db: Connection, work: () => Result): Result {
  const before = db.pragma('secure_delete', { simple: true });
  db.pragma('secure_delete = ON');
  try {
    return work();
  } finally {
    db.pragma(`secure_delete = ${before}`);
  }
}
