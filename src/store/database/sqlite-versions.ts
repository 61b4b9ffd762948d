/** The versions of SQLite and of its extension, as they are loaded. */
import { connectForWriting } from './connect.ts';

/** Returns both versions. Throws `database_unusable` if one of the two cannot be loaded. */
export function readSqliteVersions(): { sqlite: string; vectors: string } {
  const db = connectForWriting({ path: ':memory:', lockWaitMs: 0 }, false);
  try {
    const read = (name: string) => String(db.prepare(`SELECT ${name}()`).pluck().get());
    return { sqlite: read('sqlite_version'), vectors: read('vec_version') };
  } finally {
    db.close();
  }
}
