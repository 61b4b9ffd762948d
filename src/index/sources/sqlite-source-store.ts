/** Sources of an index in an SQLite file. */
import type { Connection } from '../../database/sqlite/connection.ts';
import { changeOnSqlite, readOnSqlite } from '../../database/sqlite/run-on-sqlite.ts';
import type { SourceStore } from '../ports/source-store.ts';
import { listSources } from './list-sources.ts';
import * as rows from './source-rows.ts';

/** `db` is closed with it. */
export function createSqliteSourceStore(db: Connection, now = Date.now): SourceStore {
  return {
    list: async () => readOnSqlite(db, listSources(now())),
    add: async (source) => changeOnSqlite(db, rows.addSource(source, now())),
    remove: async (name) => changeOnSqlite(db, rows.removeSource(name)),
    own: async (name, owner, until) =>
      changeOnSqlite(db, rows.ownSource(name, { owner, until, now: now() })),
    disown: async (name, owner) => changeOnSqlite(db, rows.disownSource(name, owner)),
    save: async (name, owner, changes) => changeOnSqlite(db, rows.saveSource(name, owner, changes)),
    addSeen: async (name, keys) => changeOnSqlite(db, rows.addSeen(name, keys)),
    seenAmong: async (name, keys) => readOnSqlite(db, rows.seenAmong(name, keys)),
    clearSeen: async (name) => changeOnSqlite(db, rows.clearSeen(name)),
    recordsOf: async (name, after) => readOnSqlite(db, rows.recordsOf(name, after)),
    countPapers: async (name) => readOnSqlite(db, rows.countPapers(name)),
    close: async () => {
      db.close();
    },
  };
}
