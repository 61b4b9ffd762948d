/** The sources of an index, on either database, which is closed with them. */
import type { Database } from '../../database/postgres/postgres-database.ts';
import { changeOnPostgres, readOnPostgres } from '../../database/postgres/run-on-postgres.ts';
import { type Bound, bind } from '../../database/sql/bind.ts';
import type { Connection } from '../../database/sqlite/connection.ts';
import { changeOnSqlite, readOnSqlite } from '../../database/sqlite/run-on-sqlite.ts';
import { sourceChanges, sourceReads } from './source-operations.ts';

/** A method that rejects has changed nothing. */
export interface SourceStore extends Bound<typeof sourceReads>, Bound<typeof sourceChanges> {
  close(): Promise<void>;
}

export function createSqliteSourceStore(db: Connection): SourceStore {
  return {
    ...bind(sourceReads, async (makeWork) => readOnSqlite(db, makeWork())),
    ...bind(sourceChanges, async (makeWork) => changeOnSqlite(db, makeWork())),
    close: async () => void db.close(),
  };
}

export function createPostgresSourceStore(database: Database): SourceStore {
  return {
    ...bind(sourceReads, (makeWork) => readOnPostgres(database, makeWork)),
    ...bind(sourceChanges, (makeWork) => changeOnPostgres(database, makeWork)),
    close: () => database.close(),
  };
}
