/** Reads documents together with the records from which they are merged. */

import type { Connection } from '../../database/sqlite/connection.ts';
import { prepareReadTransaction } from '../../database/sqlite/read-transaction.ts';
import { VerbatimError } from '../../errors.ts';
import type { MergedDocument } from '../../identity/merge-records.ts';
import { idKeyOf } from '../../identity/record-keys.ts';
import type { DocumentNumber, SourceRecord } from '../../types.ts';
import { documentNumbers } from '../document-numbers.ts';
import { readTotals } from '../index-facts.ts';
import { createRecordTable } from '../records/records.ts';
import type { StoredRecord } from '../records/stored-records.ts';
import { unlessDamaged } from '../unless-damaged.ts';
import { createDocumentReader } from './documents.ts';
import { soundMerge } from './stored-document.ts';

export interface DocumentWithSources {
  merged: MergedDocument;
  records: StoredRecord[];
}

export interface SourcesReader {
  /**
   * Returns the document with exactly this id, or else the documents with the id or one of the keys
   * in any case. Throws `verify_failed` if one is damaged.
   */
  find(id: string, keys: readonly string[]): DocumentWithSources[];
  /** Returns the numbers of the documents that `find` returns. */
  numbersOf(id: string, keys: readonly string[]): DocumentNumber[];
  /** Returns the path and format of the file from which a record came. */
  fileOf(record: StoredRecord): { path: string; format: string } | undefined;
  /**
   * Yields each document as one record that makes the same document again, but for those that are
   * damaged. Returns how many it left out. Reads one state of the index.
   */
  all(): Generator<SourceRecord, number>;
}

export function createSourcesReader(db: Connection): SourcesReader {
  const table = createRecordTable(db);
  const readNumber = db.prepare('SELECT number FROM documents WHERE id = ?').pluck();
  const documents = createDocumentReader(db);
  const readFile = db.prepare('SELECT path, format FROM source_files WHERE number = ?');
  const readOne = (number: DocumentNumber): DocumentWithSources => {
    const records = unlessDamaged(() => table.ofDocument(number)) ?? [];
    const merged = soundMerge(records, () => documents.read(number) !== undefined);
    if (merged === undefined) throw damagedError(number);
    return { records, merged };
  };
  const numbersOf = (id: string, keys: readonly string[]): DocumentNumber[] => {
    const exact = readNumber.get(id) as DocumentNumber | undefined;
    if (exact !== undefined) return [exact];
    const found = [idKeyOf(id), ...keys].flatMap((key) => table.found(key));
    return [...new Set(found.flatMap(({ document }) => document ?? []))];
  };
  return {
    find: (id, keys) => numbersOf(id, keys).map(readOne),
    numbersOf,
    fileOf: ({ file }) => readFile.get(file) as { path: string; format: string } | undefined,
    *all() {
      const transaction = prepareReadTransaction(db);
      transaction.begin();
      try {
        let left = readTotals(db).documents;
        for (const number of documentNumbers(db)) {
          const merged = documents.merged(number);
          if (merged === undefined) continue;
          left -= 1;
          yield toSourceRecord(merged);
        }
        return Math.max(0, left);
      } finally {
        transaction.end();
      }
    },
  };
}

/** The error of a command that was asked for one document, which is damaged. */
export function damagedError(document: DocumentNumber): VerbatimError {
  const advice = '`verbatim index verify` lists what is damaged';
  return new VerbatimError('verify_failed', `document ${document} is damaged; ${advice}`);
}

/** Returns one record that makes the same document again. */
export function toSourceRecord({
  document,
  identifiers,
  withheld,
  details,
  records,
}: MergedDocument): SourceRecord {
  return {
    ...document,
    identifiers,
    ...(withheld === undefined ? {} : { withheld }),
    ...(Object.keys(details).length === 0 ? {} : { details }),
    updatedAt: Math.max(...records.map(({ updatedAt }) => updatedAt)),
  };
}
