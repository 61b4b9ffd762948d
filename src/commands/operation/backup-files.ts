/**
 * The files of backups: how they are called, which of them may be deleted, and how a finished one
 * gets its name.
 */
import {
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { flush } from '../../database/sqlite/flush.ts';
import { messageOf, VerbatimError } from '../../errors.ts';

export interface BackupTarget {
  folder: string;
  /** The path of the finished backup. */
  path: string;
  /** Whether a folder was given, in which the backup is called after its time. */
  isNamedByTime: boolean;
}

/** The end of a backup's name in a folder: the time in UTC, such as `-20261122T140500.250Z.db`. */
const TIME = '-\\d{8}T\\d{6}\\.\\d{3}Z\\.db';
/** The end of the name of a file that is being written, with the process that writes it. */
const PARTIAL = '\\.(\\d+)\\.partial(?:-journal|-wal|-shm)?';

/**
 * Returns where a backup of a database goes. In a folder it gets the name of the database and the
 * time. Throws `already_exists` if the file is there, and `unwritable_output` if the folder is not.
 */
export function backupTarget(path: string, database: string, now: Date): BackupTarget {
  const isNamedByTime = path.endsWith('/') || isFolderPath(path);
  const folder = isNamedByTime ? path : dirname(path);
  assertFolder(folder);
  const time = now.toISOString().replace(/[-:]/g, '');
  const target = isNamedByTime ? join(path, `${stemOf(database)}-${time}.db`) : path;
  assertAbsent(target);
  return { folder, path: target, isNamedByTime };
}

/** Throws `unwritable_output` if there is no such folder. */
export function assertFolder(folder: string): void {
  if (isFolderPath(folder)) return;
  throw new VerbatimError('unwritable_output', `there is no folder ${folder}; create it first`);
}

/** Throws `already_exists` if there is a file: nothing is ever written over. */
function assertAbsent(path: string): void {
  if (!existsSync(path)) return;
  throw new VerbatimError('already_exists', `${path} exists; name another file or move it away`);
}

/** The name of a file while it is written. */
export function partialPath(path: string): string {
  return `${path}.${process.pid}.partial`;
}

/** Returns the error for the operator if the file system refused something, else the error itself. */
export function namingSystemError(error: unknown, path: string): unknown {
  if ((error as NodeJS.ErrnoException).syscall === undefined) return error;
  return new VerbatimError('unwritable_output', `cannot write ${path}: ${messageOf(error)}`);
}

/** Deletes a file that was not finished, with what SQLite left beside it. */
export function removePartial(partial: string): void {
  for (const end of ['', '-journal', '-wal', '-shm']) rmSync(`${partial}${end}`, { force: true });
}

/**
 * Deletes what processes that were killed have left of this file, or in a folder of all backups of
 * the database. Files of processes that run stay.
 */
export function removeLeftovers({ folder, path }: BackupTarget, database: string): void {
  const names = [escapePattern(basename(path)), `${escapePattern(stemOf(database))}${TIME}`].join(
    '|',
  );
  const pattern = new RegExp(`^(?:${names})${PARTIAL}$`);
  for (const name of readdirSync(folder)) {
    const pid = Number(pattern.exec(name)?.[1] ?? Number.NaN);
    if (!Number.isNaN(pid) && !isRunning(pid)) rmSync(join(folder, name), { force: true });
  }
}

/**
 * Gives a finished file its name, on the disk as well. Throws `already_exists` if the name is taken
 * by now.
 */
export function publish(partial: string, { folder, path }: BackupTarget): void {
  try {
    // Unlike a rename, a link fails if the name is taken.
    linkSync(partial, path);
    rmSync(partial);
  } catch (error) {
    assertAbsent(path);
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP') {
      throw error;
    }
    // The file system has no links.
    renameSync(partial, path);
  }
  flush(folder);
}

/**
 * Deletes all but the newest `keep` backups of a database in a folder. Returns the paths of the
 * deleted ones. Leaves files with other names alone, and backups that a server has opened since:
 * those are databases in use.
 */
export function deleteOldBackups(folder: string, database: string, keep: number): string[] {
  const pattern = new RegExp(`^${escapePattern(stemOf(database))}${TIME}$`);
  const old = readdirSync(folder)
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name))
    .filter(isUntouchedBackup)
    .sort()
    .reverse()
    .slice(keep);
  for (const path of old) rmSync(path);
  return old;
}

/** A backup is without a write-ahead log until it is served: bytes 18 and 19 of the header say so. */
function isUntouchedBackup(path: string): boolean {
  const head = Buffer.alloc(20);
  if (!lstatSync(path).isFile()) return false;
  const file = openSync(path, 'r');
  try {
    readSync(file, head, 0, head.length, 0);
  } finally {
    closeSync(file);
  }
  return head.toString('latin1', 0, 16) === 'SQLite format 3\0' && head[18] === 1 && head[19] === 1;
}

/** The name of a database without its extension. */
function stemOf(database: string): string {
  return basename(database).replace(/\.(db|sqlite3?)$/, '');
}

function isFolderPath(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isRunning(pid: number): boolean {
  // In a container every process may have the same number.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
