/** Allows one process at a time to write to a folder of copies. The lock ends with the process. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { VerbatimError } from '../../errors.ts';

/** Locks the folder and returns the function that unlocks it. Throws `database_busy`. */
export function lockFolder(folder: string): () => void {
  const lock = new Database(join(folder, 'lock'), { timeout: 0 });
  try {
    // Nothing is ever written, and a journal file would be left behind by a crash.
    lock.pragma('journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    const { code } = error as { code?: unknown };
    if (code !== 'SQLITE_BUSY') throw error;
    const message = `another process is writing to ${folder}; wait until it is done`;
    throw new VerbatimError('database_busy', message, { cause: error });
  }
  return () => lock.close();
}
