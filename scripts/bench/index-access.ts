/** How the benchmark reads an index. Adapt this file when the schema changes. */
import { storeOptions } from '../../src/commands/cli/options.ts';
import { readSettings } from '../../src/config.ts';
import type { OpenOptions } from '../../src/store/database/connect.ts';
import type { Connection } from '../../src/store/database/connection.ts';
import {
  createDocumentReader,
  type DocumentReader,
} from '../../src/store/index/documents/documents.ts';
import { openStoreForReading } from '../../src/store/open.ts';
import type { DocumentNumber } from '../../src/types.ts';

export interface IndexAccess {
  db: Connection;
  reader: DocumentReader;
  /** The numbers of all documents, ascending. */
  numbers: DocumentNumber[];
}

/** Runs work with an index open for reading, and closes it afterwards. */
export async function withIndex<Result>(
  path: string,
  work: (index: IndexAccess) => Promise<Result> | Result,
): Promise<Result> {
  const db = openStoreForReading(openOptions(path));
  try {
    const numbers = db
      .prepare('SELECT number FROM documents ORDER BY number')
      .pluck()
      .all() as DocumentNumber[];
    return await work({ db, numbers, reader: createDocumentReader(db) });
  } finally {
    db.close();
  }
}

export function openOptions(path: string): OpenOptions {
  return storeOptions(readSettings({ database: path }));
}
