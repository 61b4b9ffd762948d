/**
 * The write-ahead log beside the database. SQLite can start it again from its beginning only when
 * all of it has been copied into the database and no reader needs its content: a reader that keeps
 * one snapshot for long makes it grow by everything that is written meanwhile.
 */
import { statSync } from 'node:fs';
import { VerbatimError } from '../../errors.ts';
import type { Connection } from './connection.ts';
import { faultOf } from './faults.ts';

/** The size of the write-ahead log of a database in bytes; 0 if there is none. */
export function walBytes(databasePath: string): number {
  return statSync(`${databasePath}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/**
 * Copies the log into the database and truncates it. Waits at most `waitMs` for readers, during
 * which nobody can write. Returns whether the log is empty now.
 */
export function emptyWal(db: Connection, waitMs: number): boolean {
  const lockWaitMs = db.pragma('busy_timeout', { simple: true });
  db.pragma(`busy_timeout = ${waitMs}`);
  try {
    // Copies most of it without keeping others from writing.
    db.pragma('wal_checkpoint(PASSIVE)');
    const [result] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
    return result?.busy === 0;
  } finally {
    db.pragma(`busy_timeout = ${lockWaitMs}`);
  }
}

/**
 * Copies as much of the log into the database as possible, and waits for nobody. Whoever has read
 * one snapshot for long calls it, so that the next commit need not copy what could not be copied
 * meanwhile.
 */
export function checkpointAfterReading(db: Connection): void {
  try {
    db.pragma('wal_checkpoint(PASSIVE)');
  } catch (error) {
    // A full disk, for example: the log is as good as before.
    if (faultOf(error) === undefined) throw error;
  }
}

/**
 * For work that reads one snapshot: throws `database_busy` if the log has grown beyond the limit,
 * so that the snapshot ends.
 */
export function assertWalWithin(databasePath: string, bytesMax: number): void {
  const bytes = walBytes(databasePath);
  if (bytes <= bytesMax) return;
  throw new VerbatimError(
    'database_busy',
    `ended, because the write-ahead log of ${databasePath} has grown to ${bytes} bytes meanwhile; ` +
      'run it when less is written, or raise VERBATIM_WAL_BYTES_MAX',
  );
}
