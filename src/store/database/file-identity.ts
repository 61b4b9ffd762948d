/**
 * Tells whether the files that a connection has open are still those under their names. SQLite goes
 * on with deleted files as if nothing had happened, and what it writes there is lost.
 */
import { statSync } from 'node:fs';

/** Names a file whatever leads to it. */
export interface FileIdentity {
  device: bigint;
  inode: bigint;
}

/** The file under this name, undefined where there is none. */
export function identifyFile(path: string): FileIdentity | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && { device: stats.dev, inode: stats.ino };
}

/** What SQLite keeps in WAL mode: deleting any of them loses writes, or hides locks. */
const files = [
  { suffix: '', what: 'the database' },
  { suffix: '-wal', what: 'the write-ahead log' },
  { suffix: '-shm', what: 'the index of the write-ahead log' },
] as const;

/**
 * Remembers the files of an open database, `opened` being the database itself. Returns a function
 * that says what has become of them; undefined while all are in place.
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
