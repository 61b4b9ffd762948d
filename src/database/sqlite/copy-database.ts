/**
 * Copies a database that is in use into one file, with SQLite's backup API
 * (https://www.sqlite.org/backup.html). The source stays in one read transaction, because the API
 * starts again whenever another process has written between two steps.
 */
import { closeSync, fdatasyncSync, fsyncSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import { VerbatimError } from '../../errors.ts';
import type { Connection } from './connection.ts';
import { faultOf, namingFault } from './faults.ts';
import { assertWalWithin, checkpointAfterReading, walBytes } from './wal.ts';

export interface CopyProgress {
  bytes: number;
  bytesTotal: number;
}

export interface CopyOptions {
  /** What is copied and forced to the disk between two pauses. */
  bytesPerStep: number;
  /** Undefined: as fast as possible. */
  bytesPerSecondMax: number | undefined;
  /** Beyond half of it the copy no longer pauses, and beyond all of it the copy fails. */
  walBytesMax: number;
  onProgress: (progress: CopyProgress) => void;
  signal: AbortSignal;
}

/** The size of the copy of a database in bytes. */
export function copyBytes(from: Connection): number {
  return pragmaNumber(from, 'page_count') * pragmaNumber(from, 'page_size');
}

/**
 * Writes all of a database into a new file that only its owner can read. The file has no
 * write-ahead log, so it is complete by itself. Resolves when it is on the disk.
 *
 * Rejects with `interrupted`, with `unwritable_output` if the new file cannot be written, with
 * `database_busy` if the write-ahead log grows too long, and with `database_unusable` if the source
 * cannot be read. The new file is left to the caller in any case.
 */
export async function copyDatabase(
  from: Connection,
  to: string,
  options: CopyOptions,
): Promise<void> {
  const file = createFile(to);
  try {
    from.exec('BEGIN');
    try {
      // The transaction begins with the first read.
      const pageBytes = pragmaNumber(from, 'page_size');
      from.pragma('schema_version');
      const progress = createStep(from, { ...options, pageBytes, file });
      await from.backup(to, { progress });
    } finally {
      // An I/O error may have ended the transaction.
      if (from.inTransaction) from.exec('ROLLBACK');
      checkpointAfterReading(from);
    }
    leaveWalMode(to);
    fsyncSync(file);
  } catch (error) {
    throw explain(error, from.name, to);
  } finally {
    closeSync(file);
  }
}

/** Created here, because SQLite would let the group and others read it. */
function createFile(path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    throw explain(error, path, path);
  }
}

interface StepOptions extends CopyOptions {
  pageBytes: number;
  /** The new file. */
  file: number;
}

/** Returns what happens after each step: it returns the pages of the next one. */
function createStep(
  from: Connection,
  options: StepOptions,
): (done: Database.BackupMetadata) => number {
  const { pageBytes, bytesPerStep, bytesPerSecondMax, walBytesMax, file, signal } = options;
  const pages = Math.max(1, Math.round(bytesPerStep / pageBytes));
  let startedAt = performance.now();
  return ({ totalPages, remainingPages }) => {
    if (signal.aborted) throw new VerbatimError('interrupted', 'interrupted; nothing was kept');
    assertWalWithin(from.name, walBytesMax);
    // In small pieces: other commits wait while the system writes a large one.
    fdatasyncSync(file);
    const bytes = (totalPages - remainingPages) * pageBytes;
    options.onProgress({ bytes, bytesTotal: totalPages * pageBytes });
    const isInHurry = walBytes(from.name) > walBytesMax / 2;
    if (bytesPerSecondMax !== undefined && !isInHurry && bytes > 0) {
      pause(startedAt + (1000 * pages * pageBytes) / bytesPerSecondMax - performance.now());
    }
    startedAt = performance.now();
    return pages;
  };
}

/** Blocks the thread: SQLite's library takes the next step as soon as the event loop is free. */
function pause(milliseconds: number): void {
  if (milliseconds <= 0) return;
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** A server changes the mode back when it opens the file. */
function leaveWalMode(path: string): void {
  const db = new Database(path);
  try {
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
}

/** Errors of the new file. Those of reading the source have other codes. */
const TARGET_FAULT = /^SQLITE_(FULL|READONLY|CANTOPEN|PERM|IOERR_(WRITE|FSYNC|TRUNCATE|DELETE))/;

function explain(error: unknown, from: string, to: string): unknown {
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (syscall !== undefined) {
    return new VerbatimError('unwritable_output', `cannot write ${to}: ${message}`);
  }
  if (code === undefined || !TARGET_FAULT.test(code)) return namingFault(error, from);
  return new VerbatimError('unwritable_output', `cannot write ${to}: ${faultOf(error)}`, {
    cause: error,
  });
}

function pragmaNumber(db: Connection, name: string): number {
  return Number(db.pragma(name, { simple: true }));
}
