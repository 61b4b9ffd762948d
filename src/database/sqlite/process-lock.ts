/**
 * Allows one server per database: two would release each other's holds when they start. The
 * operating system frees both locks however the process ends, so there are no stale locks and no
 * process ids to check:
 *
 * - a file beside the database, locked by SQLite, which also excludes servers in other containers;
 * - on Linux, a socket named after the device and inode of the database. It finds a server that
 *   opened the file under another name (a hard link), or whose lock file was deleted.
 */
import {
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { messageOf, VerbatimError } from '../../errors.ts';
import { createForOwner, missingDatabase } from './connect.ts';
import { type FileIdentity, identifyFile } from './file-identity.ts';

/**
 * How long to wait for the lock file. Of processes that start together, each may meet the half-taken
 * lock of another one; without a wait, all of them would give up.
 */
const LOCK_WAIT_MS = 250;

/**
 * Locks the database and returns the function that unlocks it. Throws `database_busy` if another
 * process holds the lock, and `database_unusable` if the database is missing.
 */
export async function lockForServing(databasePath: string): Promise<() => void> {
  const file = identifyFile(databasePath);
  if (file === undefined) throw missingDatabase(databasePath);
  const unlockName = lockName(databasePath);
  try {
    const unlockFile = await lockFile(databasePath, socketName(file));
    return () => {
      unlockFile();
      unlockName();
    };
  } catch (error) {
    unlockName();
    throw error;
  }
}

/**
 * Locks the name of a database that is not there, so that no server starts with it, and returns the
 * function that unlocks it. Throws `database_busy` if a server still holds the name, because its
 * file was moved or deleted under it.
 */
export function lockForRestoring(databasePath: string): () => void {
  return lockName(databasePath);
}

/**
 * Returns whether a process of this machine serves or migrates the database. It takes no lock. False
 * if the file is missing, and for a server in another network namespace.
 */
export function isServed(databasePath: string): Promise<boolean> {
  const file = identifyFile(databasePath);
  if (file === undefined || process.platform !== 'linux') return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect(`\0${socketName(file)}`);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** The flag of a socket that listens, in /proc/net/unix. */
const LISTENING = '00010000';

/**
 * Returns the process that serves or migrates the database. Undefined if there is none, if it is in another
 * namespace, or if it belongs to another user and this one is not root.
 */
export function servingProcess(databasePath: string): number | undefined {
  const file = identifyFile(databasePath);
  if (file === undefined || process.platform !== 'linux') return undefined;
  const name = `@${socketName(file)}`;
  const listening = readFileSync('/proc/net/unix', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    // Node fills the name up with zeros, which Linux shows like the first one.
    .find(([, , , flags, , , , path]) => flags === LISTENING && path?.replace(/@+$/, '') === name);
  const socket = listening?.[6];
  if (socket === undefined) return undefined;
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const found = pids.find((pid) => openFilesOf(pid).includes(`socket:[${socket}]`));
  return found === undefined ? undefined : Number(found);
}

/** What the files of a process are; empty for one that ended or that this user may not look at. */
function openFilesOf(pid: string): string[] {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).map((name) => readlinkSync(join(folder, name)));
  } catch {
    return [];
  }
}

function socketName({ device, inode }: FileIdentity): string {
  return `verbatim-${device}-${inode}`;
}

function lockName(databasePath: string): () => void {
  let lock: Database.Database | undefined;
  try {
    const path = `${realPath(databasePath)}-lock`;
    // Whoever may read it could keep servers from starting.
    createForOwner(path);
    lock = new Database(path, { timeout: LOCK_WAIT_MS });
    leaveToOwner(path, databasePath);
    // Nothing is ever written, and a journal file would be left behind by a crash.
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

/** One lock name per file, whatever symbolic links lead to it. */
function realPath(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  return join(realpathSync(dirname(path)), basename(path));
}

/** What root leaves, after a migration for example, must not shut out the server's own user. */
function leaveToOwner(lockPath: string, databasePath: string): void {
  const owner = statSync(databasePath, { throwIfNoEntry: false });
  if (process.getuid?.() === 0 && owner !== undefined) chownSync(lockPath, owner.uid, owner.gid);
}

/** Listening is the lock: a network namespace has each abstract socket name once. */
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
  const message = `another verbatim process is serving or migrating ${databasePath}; stop it first`;
  return new VerbatimError('database_busy', message, { cause });
}

function unlockable(databasePath: string, cause: unknown): VerbatimError {
  const message = `cannot lock ${databasePath} for serving: ${messageOf(cause)}`;
  return new VerbatimError('database_unusable', message, { cause });
}
