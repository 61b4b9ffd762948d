/**
 * Detects that the open files of a connection were deleted, moved or replaced. SQLite keeps writing
 * to deleted files without an error, and those writes are lost.
 */
import { statSync } from 'node:fs';

/** Identifies a file independently of its path. */
export interface FileIdentity {
  device: bigint;
  inode: bigint;
}

/** Returns the identity of the file at a path; undefined if there is none. */
export function identifyFile(path: string): FileIdentity | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && { device: stats.dev, inode: stats.ino };
}

/** SQLite's files in WAL mode. Deleting any of them loses writes or hides locks. */
const files = [
  { suffix: '', what: 'the database' },
  { suffix: '-wal', what: 'the write-ahead log' },
  { suffix: '-shm', what: 'the index of the write-ahead log' },
] as const;

/**
 * Records the files of an open database; `opened` is the database itself. Returns a function that
 * describes what happened to them; undefined while all are in place.
 */
export function watchFiles(path: string, opened: FileIdentity): () => string | undefined {
  const watched = files.map(({ suffix, what }) => ({
    what,
    path: `${path}${suffix}`,
    identity: suffix === '' ? opened : identifyFile(`${path}${suffix}`),
  }));
  return () => {
    for (const { what, path: name, identity } of watched) {
      const fate = fateOf(name, identity);
      if (fate !== undefined) return `${what} was ${fate} while it was in use`;
    }
    return undefined;
  };
}

function fateOf(path: string, before: FileIdentity | undefined): string | undefined {
  let now: FileIdentity | undefined;
  try {
    now = identifyFile(path);
  } catch {
    return 'made unreachable';
  }
  if (now?.device === before?.device && now?.inode === before?.inode) return undefined;
  return now === undefined ? 'deleted or moved' : 'replaced';
}
