/** What a migration left: the version of a database, and the files beside it. */
import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';

/** The version of the tables in a database file. */
export function versionOf(path: string): unknown {
  const db = new Database(path, { readonly: true });
  const version = db.pragma('user_version', { simple: true });
  db.close();
  return version;
}

/** The files in the folder of a database, without those that SQLite and the lock keep there. */
export function namesBeside(path: string): string[] {
  return readdirSync(dirname(path))
    .filter((name) => !/-(lock|wal|shm)$/.test(name))
    .sort();
}
