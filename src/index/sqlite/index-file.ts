/**
 * The index that searches read: in the database itself, or in a folder of copies, of which the newest
 * is taken over while searches run.
 */
import { isDeepStrictEqual } from 'node:util';
import { openStoreForReading } from '../../database/open.ts';
import type { OpenOptions } from '../../database/sqlite/connect.ts';
import type { Connection } from '../../database/sqlite/connection.ts';
import { namingFault } from '../../database/sqlite/faults.ts';
import { identifyFile } from '../../database/sqlite/file-identity.ts';
import { messageOf } from '../../errors.ts';
import { copyPaths, readLatest } from '../copies/copy-folder.ts';
import { openCopy } from '../copies/open-copy.ts';

/** `path` is the database with the accounts. */
export interface SqlitePlace extends OpenOptions {
  /** The folder of the copies that searches read; '' or absent: they read the database. */
  copies?: string;
  /** The length of the write-ahead log at which a long reading gives up. Absent: any. */
  walBytesMax?: number;
}

export interface IndexFile {
  /** The connection, a different one after a newer copy was taken over. */
  db(): Connection;
  /** The name of the copy; undefined if the index is in the database. */
  copy(): string | undefined;
  /** Counts how often another file was taken over. */
  switches(): number;
  /**
   * Takes a newer copy over if there is one, or another file of the same copy, which replaced a damaged
   * one, and closes the one before: call it only when nothing reads. Returns why the file cannot be
   * used; searches then go on with the one before.
   */
  refresh(): string | undefined;
  /** Returns a function that makes something of the connection once, and again after a refresh. */
  reading<Reader>(create: (db: Connection) => Reader): () => Reader;
  close(): void;
}

/**
 * Opens the index. `assertUsable` throws if it does not fit, such as an index of another model. Throws
 * `database_unusable`, `migration_needed`, or `verify_failed` for a folder without a copy.
 */
export function openIndexFile(
  { copies = '', ...store }: SqlitePlace,
  assertUsable: (db: Connection) => void = () => {},
): IndexFile {
  const open = (path: string): Connection => {
    const db = copies === '' ? openStoreForReading(store) : openCopy({ ...store, path });
    try {
      assertUsable(db);
      return db;
    } catch (error) {
      db.close();
      throw namingFault(error, path);
    }
  };
  const pathOf = (copy: string): string => copyPaths(copies, copy).database;
  let name = copies === '' ? undefined : readLatest(copies);
  // Before it is opened: a file that takes its place meanwhile is then taken over.
  let file = name === undefined ? undefined : identifyFile(pathOf(name));
  let db = open(name === undefined ? store.path : pathOf(name));
  let switches = 0;
  return {
    db: () => db,
    copy: () => name,
    switches: () => switches,
    refresh() {
      if (name === undefined) return undefined;
      try {
        const latest = readLatest(copies);
        const there = identifyFile(pathOf(latest));
        if (latest === name && isDeepStrictEqual(there, file)) return undefined;
        const before = db;
        db = open(pathOf(latest));
        name = latest;
        file = there;
        switches += 1;
        before.close();
        return undefined;
      } catch (error) {
        return messageOf(error);
      }
    },
    reading(create) {
      let madeOf: Connection | undefined;
      let reader: ReturnType<typeof create> | undefined;
      return () => {
        if (madeOf !== db) reader = create(db);
        madeOf = db;
        return reader as ReturnType<typeof create>;
      };
    },
    close: () => db.close(),
  };
}
