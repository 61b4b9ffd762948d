/**
 * One server a database. Two would release each other's holds at their start. Two locks see to it,
 * and the operating system takes back both however the process ends, so that there are no stale
 * locks and no process ids to guess from:
 *
 * - a file beside the database, locked by SQLite, which also keeps servers in other containers off;
 * - on Linux, a socket whose name is made of the device and inode of the database. It finds a
 *   server that has the file open by another name (a hard link), and one whose lock file is gone.
 */
import { realpathSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import Database from 'better-sqlite3';
import { messageOf, VerbatimError } from '../../errors.ts';
import { identifyFile } from './file-identity.ts';
import { missingDatabase } from './open.ts';

/**
 * Returns a function that gives the lock back. Throws `database_busy` where another process has it,
 * `database_unusable` where there is no database to lock.
 */
export async function lockForServing(databasePath: string): Promise<() => void> {
  const file = identifyFile(databasePath);
  if (file === undefined) throw missingDatabase(databasePath);
  const unlockName = lockName(databasePath);
  try {
    const unlockFile = await lockFile(databasePath, `verbatim-${file.device}-${file.inode}`);
    return () => {
      unlockFile();
      unlockName();
    };
  } catch (error) {
    unlockName();
    throw error;
  }
}

function lockName(databasePath: string): () => void {
  let lock: Database.Database | undefined;
  try {
    // One name for one file, whatever symbolic links lead to it.
    lock = new Database(`${realpathSync(databasePath)}-lock`, { timeout: 0 });
    // Nothing is ever written, so that a journal would only be left behind by a crash.
    lock.pragma('journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock?.close();
    if ((error as { code?: unknown }).code === 'SQLITE_BUSY') throw served(databasePath, error);
    throw unlockable(databasePath, error);
  }
  const held = lock;
  return () => held.close();
}

/** Listening is the lock: of an abstract socket's name there is one in a network namespace. */
function lockFile(databasePath: string, name: string): Promise<() => void> {
  if (process.platform !== 'linux') return Promise.resolve(() => {});
  return new Promise((resolve, reject) => {
    const socket: Server = createServer((connection) => connection.destroy());
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE';
      reject(isTaken ? served(databasePath, error) : unlockable(databasePath, error));
    });
    socket.listen(`\0${name}`, () => resolve(() => socket.close()));
    socket.unref();
  });
}

function served(databasePath: string, cause: unknown): VerbatimError {
  const message = `another verbatim process serves ${databasePath}; stop it first`;
  return new VerbatimError('database_busy', message, { cause });
}

function unlockable(databasePath: string, cause: unknown): VerbatimError {
  const message = `cannot lock ${databasePath} for serving: ${messageOf(cause)}`;
  return new VerbatimError('database_unusable', message, { cause });
}
