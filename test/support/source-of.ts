/** A source of an index that a test has open. */
import type { IndexSource } from '../../src/index-source/index-source.ts';
import type { SourceLimits } from '../../src/index-source/open/open-source.ts';
import { createSqliteSource } from '../../src/index-source/sqlite/sqlite-source.ts';
import type { Connection } from '../../src/store/database/connection.ts';

/** Reads through the test's own connection, which the source does not close. */
export function sourceOf(db: Connection, limits: SourceLimits): IndexSource {
  const index = {
    db: () => db,
    reading: <Reader>(create: (opened: Connection) => Reader) => {
      const reader = create(db);
      return () => reader;
    },
    refresh: () => undefined,
    close: () => {},
  };
  return createSqliteSource(index, limits);
}
