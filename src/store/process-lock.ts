/**
 * One server a database. Two would release each other's holds at their start. SQLite's own file
 * lock does it: the operating system takes it back however the process ends, so that there are no
 * stale locks and no process ids to guess from. The lock file holds no data.
 */
import { existsSync, realpathSync } from 'node:fs';
import Database from 'better-sqlite3';
import { messageOf, VerbatimError } from '../errors.ts';

/** Returns a function that gives the lock back. Throws `database_busy` where another has it. */
export function lockForServing(databasePath: string): () => void {
  let lock: Database.Database | undefined;
  try {
    lock = new Database(`${realPath(databasePath)}-lock`, { timeout: 0 });
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock?.close();
    if ((error as { code?: unknown }).code !== 'SQLITE_BUSY') {
      throw new VerbatimError(
        'database_unusable',
        `cannot lock ${databasePath} for serving: ${messageOf(error)}`,
        { cause: error },
      );
    }
    throw new VerbatimError(
      'database_busy',
      `another verbatim process serves ${databasePath}; stop it first`,
      { cause: error },
    );
  }
  const held = lock;
  return () => held.close();
}

/** One name for one file, whatever links lead to it; the file need not be there yet. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}
