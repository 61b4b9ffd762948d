/**
 * Copies a database beside itself: complete, consistent, checked, and under its name only when it is
 * all that.
 */
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { messageOf, VerbatimError } from '../../errors.ts';
import type { Connection } from './connection.ts';
import { type CopyProgress, copyBytes, copyDatabase } from './copy-database.ts';
import { faultOf } from './faults.ts';
import { flush } from './flush.ts';

/** What is copied between two calls of `onProgress`. */
const BYTES_PER_STEP = 8 * 1024 * 1024;
/** Bytes that must stay free beside the copy, for the write-ahead log. */
const FREE_BYTES_MIN = 16 * 1024 * 1024;
/** Bytes that are compared at a time. */
const COMPARED_BYTES = 1024 * 1024;

export interface CopyBeforeMigrationOptions {
  onProgress: (progress: CopyProgress) => void;
  /** Ends the copy, which leaves nothing behind. */
  signal: AbortSignal;
}

/**
 * Copies to the first free name of `path`, `path-2`, `path-3`, ... and returns that name. Returns the
 * name of an earlier copy instead if it has the same content. The caller must hold the write lock on
 * another connection. Throws `unwritable_output` if there is no room or the copy is damaged, and
 * `interrupted` after the signal.
 */
export async function copyBeforeMigration(
  db: Connection,
  path: string,
  { onProgress, signal }: CopyBeforeMigrationOptions,
): Promise<string> {
  assertRoom(db.name, path, copyBytes(db));
  const partial = `${resolve(path)}.partial`;
  try {
    // A copy that a kill left unfinished.
    rmSync(partial, { force: true });
    await copyDatabase(db, partial, {
      bytesPerStep: BYTES_PER_STEP,
      bytesPerSecondMax: undefined,
      // Nobody writes while the caller holds the lock, so the log does not grow.
      walBytesMax: Number.POSITIVE_INFINITY,
      onProgress,
      signal,
    });
    permitLike(db.name, partial);
    assertSound(partial, db.name);
    return keep(partial, path);
  } catch (error) {
    if (error instanceof VerbatimError) throw error;
    const reason = faultOf(error) ?? messageOf(error);
    throw new VerbatimError('unwritable_output', `cannot write ${path}: ${reason}`, {
      cause: error,
    });
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm'])
      rmSync(partial + suffix, { force: true });
  }
}

function assertRoom(original: string, path: string, bytes: number): void {
  const folder = dirname(resolve(path));
  const { bavail, bsize } = statfsSync(folder);
  const [needed, free] = [bytes + FREE_BYTES_MIN, bavail * bsize];
  if (free >= needed) return;
  const megabytes = (count: number): string => `${Math.ceil(count / 1e6)} MB`;
  throw new VerbatimError(
    'unwritable_output',
    `a copy at ${path} needs ${megabytes(needed)}, but ${folder} has ${megabytes(free)} free; ` +
      `free some space, or migrate without a copy: verbatim migrate --no-copy --db ${original}`,
  );
}

/** Gives a file the owner and the permissions of another one: it has the same secrets. */
function permitLike(model: string, path: string): void {
  const { mode, uid, gid } = statSync(model);
  if (process.getuid?.() === 0) chownSync(path, uid, gid);
  chmodSync(path, mode & 0o777);
}

/** Reads every page of the copy. A copy of a damaged database would be no help. */
function assertSound(copy: string, original: string): void {
  // Not read-only: such a connection could not remove its write-ahead log.
  const db = new Database(copy, { fileMustExist: true });
  try {
    const found = db.pragma('quick_check(1)', { simple: true });
    if (found === 'ok') return;
    throw new VerbatimError(
      'unwritable_output',
      `${original} is damaged (${found}); run: verbatim doctor --db ${original}`,
    );
  } finally {
    db.close();
  }
}

/** Gives the copy its name, unless an earlier copy is the same: a start that is repeated fills no disk. */
function keep(partial: string, path: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? path : `${path}-${number}`;
    if (!existsSync(name)) {
      renameSync(partial, name);
      flush(dirname(resolve(name)));
      return name;
    }
    if (haveSameBytes(partial, name)) return name;
  }
}

function haveSameBytes(one: string, other: string): boolean {
  if (statSync(one).size !== statSync(other).size) return false;
  const files = [openSync(one, 'r'), openSync(other, 'r')];
  const pieces = files.map(() => Buffer.alloc(COMPARED_BYTES));
  try {
    for (;;) {
      const [read = 0] = files.map((file, index) => readSync(file, pieces[index] as Buffer));
      if (read === 0) return true;
      if (!(pieces[0] as Buffer).equals(pieces[1] as Buffer)) return false;
    }
  } finally {
    for (const file of files) closeSync(file);
  }
}
