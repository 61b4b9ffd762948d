/** A read transaction that spans asynchronous work. */
import type { Connection } from './connection.ts';

export interface ReadTransaction {
  /** From the first read on, the connection sees one state of the database. */
  begin(): void;
  end(): void;
}

/** Prepares it once, because that takes longer than to begin and end it. */
export function prepareReadTransaction(db: Connection): ReadTransaction {
  const begin = db.prepare('BEGIN');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  return {
    begin: () => begin.run(),
    end() {
      // SQLite ends a transaction by itself after a fault such as an unreadable page.
      if (!db.inTransaction) return;
      try {
        commit.run();
      } catch {
        // It fails after a damaged page, which the reader may have passed over. Nothing was written.
        if (db.inTransaction) rollback.run();
      }
    },
  };
}
