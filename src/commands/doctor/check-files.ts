/** The database, the files beside it, and their folder: are they there, and who may use them? */
import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Check, error, type Finding, megabytes, ok, warning } from './check.ts';

const OWNER_WRITE = 0o200;
const OTHERS_READ = 0o004;
const OTHERS_WRITE = 0o002;
const OTHERS_ENTER = 0o001;

export const checkFiles: Check = {
  name: 'files',
  run({ settings: { database } }) {
    const stats = statSync(database, { throwIfNoEntry: false });
    if (stats === undefined) {
      const create = 'create one: verbatim index add FILE, or name another one with --db';
      return [error(`there is no database at ${database}`, create)];
    }
    if (!stats.isFile()) return [error(`${database} is not a file`, 'name the database with --db')];
    const folder = dirname(resolve(database));
    const findings = [
      ...usable(database, folder),
      ...openToOthers(database, stats, folder),
      ...besides(database, stats),
    ];
    return findings.length > 0 ? findings : [ok(`${database}, ${megabytes(stats.size)}`)];
  },
};

/** SQLite makes its own files beside the database. */
function usable(database: string, folder: string): Finding[] {
  const owner = 'run as the owner of the database, or change its owner with chown';
  const { R_OK, W_OK } = constants;
  const rows: [path: string, mode: number, what: string][] = [
    [database, R_OK, 'read'],
    [database, W_OK, 'write'],
    [folder, W_OK, 'add files to'],
  ];
  return rows
    .filter(([path, mode]) => !isAllowed(path, mode))
    .map(([path, , what]) => error(`this user cannot ${what} ${path}`, owner));
}

function openToOthers(database: string, { mode }: Stats, folder: string): Finding[] {
  const isReached = (statSync(folder).mode & OTHERS_ENTER) !== 0;
  if (!isReached) return [];
  const advice = `chmod 600 ${database}`;
  if (mode & OTHERS_WRITE) return [error(`every user may write ${database}`, advice)];
  if (mode & OTHERS_READ) {
    return [warning(`every user may read ${database}, with addresses and balances`, advice)];
  }
  return [];
}

/** What another user left, such as root, can be read and not written by the server. */
function besides(database: string, { uid, mode }: Stats): Finding[] {
  return ['-wal', '-shm', '-lock'].flatMap((suffix) => {
    const path = database + suffix;
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return [];
    if (stats.uid !== uid) {
      const found = `${path} belongs to user ${stats.uid}, and the database to user ${uid}`;
      return [error(found, `chown ${uid} ${path}`)];
    }
    // What a reader left while the database was read-only.
    if ((mode & OWNER_WRITE) === 0 || (stats.mode & OWNER_WRITE) !== 0) return [];
    return [error(`${path} is read-only, and the database is not`, `chmod u+w ${path}`)];
  });
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
