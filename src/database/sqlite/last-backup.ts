/**
 * When a database was last backed up: a file beside it, whose content is the path of the backup and whose
 * modification time is the time. It is not in the database, because a restored one would have the time of
 * an earlier backup.
 */
import { chownSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';

export interface LastBackup {
  /** Where the backup was written. It may be gone. */
  path: string;
  /** In milliseconds since 1970. */
  at: number;
}

/** Notes a backup. Does nothing if nobody may write beside the database: the backup is worth more. */
export function noteBackup(database: string, backupPath: string): void {
  const path = notePath(database);
  try {
    // Another user, such as root, may own the former note.
    rmSync(path, { force: true });
    writeFileSync(path, `${backupPath}\n`, { mode: 0o600 });
    const { uid, gid } = statSync(database);
    if (process.getuid?.() === 0) chownSync(path, uid, gid);
  } catch {
    // A folder that is read-only.
  }
}

/** Returns the last backup; undefined if none is known. */
export function readLastBackup(database: string): LastBackup | undefined {
  const path = notePath(database);
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats && { path: readFileSync(path, 'utf8').trim(), at: stats.mtimeMs };
}

function notePath(database: string): string {
  return `${database}-last-backup`;
}
