/** A source of an index that a test has open. */

import type { Connection } from '../../src/database/sqlite/connection.ts';
import type { IndexSource, SourceLimits } from '../../src/index/ports/index-source.ts';
import { createSqliteSource } from '../../src/index/sqlite/sqlite-source.ts';

/** Reads through the test's own connection, which the source does not close. */
export function sourceOf(db: Connection, limits: SourceLimits): IndexSource {
  const index = {
    db: () => db,
    reading: <Reader>(create: (opened: Connection) => Reader) => {
      const reader = create(db);
      return () => reader;
    },
    copy: () => undefined,
    switches: () => 0,
    refresh: () => undefined,
    close: () => {},
  };
  return createSqliteSource(index, limits);
}
