/** Sources of an index on PostgreSQL. */
import type { Database } from '../../database/postgres/postgres-database.ts';
import { changeOnPostgres, readOnPostgres } from '../../database/postgres/run-on-postgres.ts';
import type { Sql } from '../../database/sql/sql.ts';
import type { SourceStore } from '../ports/source-store.ts';
import { listSources } from './list-sources.ts';
import * as rows from './source-rows.ts';

/** `database` is closed with it. */
export function createPostgresSourceStore(database: Database, now = Date.now): SourceStore {
  const change = <Result>(makeWork: () => Sql<Result>): Promise<Result> =>
    changeOnPostgres(database, makeWork);
  const read = <Result>(makeWork: () => Sql<Result>): Promise<Result> =>
    readOnPostgres(database, makeWork);
  return {
    list: () => read(() => listSources(now())),
    add: (source) => change(() => rows.addSource(source, now())),
    remove: (name) => change(() => rows.removeSource(name)),
    own: (name, owner, until) => change(() => rows.ownSource(name, { owner, until, now: now() })),
    disown: (name, owner) => change(() => rows.disownSource(name, owner)),
    save: (name, owner, changes) => change(() => rows.saveSource(name, owner, changes)),
    addSeen: (name, keys) => change(() => rows.addSeen(name, keys)),
    seenAmong: (name, keys) => read(() => rows.seenAmong(name, keys)),
    clearSeen: (name) => change(() => rows.clearSeen(name)),
    recordsOf: (name, after) => read(() => rows.recordsOf(name, after)),
    countPapers: (name) => read(() => rows.countPapers(name)),
    close: () => database.close(),
  };
}
