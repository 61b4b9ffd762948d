/** The index as the benchmark reads it: any document by its place. Adapt to the schema here. */
import { storeOptions } from '../../src/commands/options.ts';
import { readSettings } from '../../src/config.ts';
import type { Connection } from '../../src/store/database/connection.ts';
import type { OpenOptions } from '../../src/store/database/open.ts';
import {
  createDocumentReader,
  type DocumentReader,
} from '../../src/store/index/documents/documents.ts';
import { openStoreForReading } from '../../src/store/open.ts';
import type { DocumentNumber } from '../../src/types.ts';

export interface IndexAccess {
  db: Connection;
  reader: DocumentReader;
  /** Of all documents, rising. */
  numbers: DocumentNumber[];
}

/** Runs work with an index open for reading, and closes it whatever happens. */
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
