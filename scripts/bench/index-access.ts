/** How the benchmark reads an index. Adapt this file when the schema changes. */
import { storeOptions } from '../../src/commands/cli/options.ts';
import type { OpenOptions } from '../../src/database/sqlite/connect.ts';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { createDocumentReader, type DocumentReader } from '../../src/index/documents/documents.ts';
import type { IndexSource } from '../../src/index/ports/index-source.ts';
import { openIndex } from '../../src/index/sqlite/open-index.ts';
import { createSqliteSource } from '../../src/index/sqlite/sqlite-source.ts';
import { readSettings } from '../../src/settings/config.ts';
import type { DocumentNumber } from '../../src/types.ts';

export interface IndexAccess {
  db: Connection;
  /** What searches read, through the same connection. */
  source: IndexSource;
  reader: DocumentReader;
  /** The numbers of all documents, ascending. */
  numbers: DocumentNumber[];
}

/** Runs work with an index open for reading, and closes it afterwards. */
export async function withIndex<Result>(
  path: string,
  work: (index: IndexAccess) => Promise<Result> | Result,
): Promise<Result> {
  const index = openIndex(openOptions(path));
  const db = index.db();
  const source = createSqliteSource(index, readSettings());
  try {
    const numbers = db
      .prepare('SELECT number FROM documents ORDER BY number')
      .pluck()
      .all() as DocumentNumber[];
    return await work({ db, source, numbers, reader: createDocumentReader(db) });
  } finally {
    await source.close();
  }
}

export function openOptions(path: string): OpenOptions {
  return storeOptions(readSettings({ database: path }));
}
