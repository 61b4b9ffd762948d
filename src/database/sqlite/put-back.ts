/** Puts a copy of a database in its place. */
import { renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { connectForWriting } from './connect.ts';
import { flush } from './flush.ts';
import { walBytes } from './wal.ts';

/**
 * Renames the copy to the database, which is gone then. The caller holds the lock for serving. A kill
 * leaves one of the two: SQLite would apply the log of the one to the other, so the log goes first.
 * Throws if another process still reads the database.
 */
export function putBack(copy: string, database: string): void {
  const db = connectForWriting({ path: database, lockWaitMs: 0 }, true);
  try {
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
  if (walBytes(database) > 0) throw new Error(`another process has ${database} open`);
  for (const end of ['-wal', '-shm']) rmSync(`${database}${end}`, { force: true });
  renameSync(copy, database);
  flush(dirname(database));
}
