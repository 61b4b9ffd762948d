/** Files with an index: how measurements make, copy, and read them. Adapt this file when the schema changes. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { storeOptions } from '../../src/commands/cli/options.ts';
import { openStore, openStoreForReading } from '../../src/database/open.ts';
import type { OpenOptions } from '../../src/database/sqlite/connect.ts';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { flush } from '../../src/database/sqlite/flush.ts';
import { VerbatimError } from '../../src/errors.ts';
import { createDocumentReader, type DocumentReader } from '../../src/index/documents/documents.ts';
import type { IndexSource } from '../../src/index/ports/index-source.ts';
import { openIndexFile } from '../../src/index/sqlite/index-file.ts';
import { createSqliteSource } from '../../src/index/sqlite/sqlite-source.ts';
import { samplePath } from '../../src/settings/bundle.ts';
import { readSettings } from '../../src/settings/config.ts';
import type { DocumentNumber } from '../../src/types.ts';
import { runVerbatim } from './processes.ts';

/** Pages per step. Nothing else in the process needs a turn, so the steps are large. */
const PAGES_PER_STEP = 100_000;

/** Adds the sample documents to an index, as `verbatim index add` does. */
export async function indexSample(database: string): Promise<void> {
  await runVerbatim(['index', 'add', samplePath(), '--db', database]);
}

/** Makes an index at `to`: a copy of `from`, or of the sample documents. */
export async function prepareIndex(from: string | undefined, to: string): Promise<void> {
  if (from === undefined) await indexSample(to);
  else await copyDatabase(existing(from), to);
}

/** Returns the whole path of a database. Throws `usage` if there is none. */
export function existing(path: string): string {
  const whole = resolve(path);
  if (existsSync(whole)) return whole;
  throw new VerbatimError('usage', `there is no database at ${whole}`);
}

/** Copies a database with its write-ahead log. The copy appears when it is complete. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  if (existsSync(to)) throw new Error(`${to} already exists`);
  const partial = `${to}.partial`;
  rmSync(partial, { force: true });
  const db = openStoreForReading(openOptions(from));
  try {
    await db.backup(partial, { progress: () => PAGES_PER_STEP });
  } finally {
    db.close();
  }
  // Pending writes of the system would slow down the ledger's commits later.
  flush(partial);
  renameSync(partial, to);
}

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
  const index = openIndexFile(openOptions(path));
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

/** How a database is opened. */
export function openOptions(path: string): OpenOptions {
  return storeOptions(readSettings({ database: path }));
}

/** Runs work with a database open for writing, beside a server perhaps, and closes it afterwards. */
export function inStore<Result>(database: string, work: (db: Connection) => Result): Result {
  const db = openStore(openOptions(database));
  try {
    return work(db);
  } finally {
    db.close();
  }
}
