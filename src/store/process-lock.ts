/**
 * One server a database. Two would release each other's holds at their start. SQLite's own file
 * lock does it: the operating system takes it back however the process ends, so that there are no
 * stale locks and no process ids to guess from. The lock file holds no data.
 */
import Database from 'better-sqlite3';
import { VerbatimError } from '../errors.ts';

/** Returns a function that gives the lock back. Throws `database_busy` where another has it. */
export function lockForServing(databasePath: string): () => void {
  const lock = new Database(`${databasePath}-lock`, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw new VerbatimError(
      'database_busy',
      `another verbatim process serves ${databasePath}; stop it first`,
      { cause: error },
    );
  }
  return () => lock.close();
}
