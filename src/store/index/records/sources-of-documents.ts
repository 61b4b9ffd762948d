/** Reads documents together with the records from which they are merged. */
import { type MergedDocument, mergeRecords } from '../../../identity/merge-records.ts';
import { idKeyOf } from '../../../identity/record-keys.ts';
import type { DocumentNumber, SourceRecord } from '../../../types.ts';
import type { Connection } from '../../database/connection.ts';
import { createRecordTable } from './records.ts';
import type { StoredRecord } from './stored-records.ts';

export interface DocumentWithSources {
  merged: MergedDocument;
  records: StoredRecord[];
}

export interface SourcesReader {
  /**
   * Returns the document with exactly this id, or else the documents with the id or one of the keys
   * in any case.
   */
  find(id: string, keys: readonly string[]): DocumentWithSources[];
  /** Returns the numbers of the documents that `find` returns. */
  numbersOf(id: string, keys: readonly string[]): DocumentNumber[];
  /** Returns the document with this number. */
  ofDocument(number: DocumentNumber): DocumentWithSources;
  /** Returns the path and format of the file from which a record came. */
  fileOf(record: StoredRecord): { path: string; format: string } | undefined;
  /** Yields each document as one record that makes the same document again. */
  all(): Generator<SourceRecord>;
}

export function createSourcesReader(db: Connection): SourcesReader {
  const table = createRecordTable(db);
  const readNumber = db.prepare('SELECT number FROM documents WHERE id = ?').pluck();
  const readNumbers = db.prepare('SELECT number FROM documents ORDER BY number').pluck();
  const readFile = db.prepare('SELECT path, format FROM source_files WHERE number = ?');
  const readOne = (number: DocumentNumber): DocumentWithSources => {
    const records = table.ofDocument(number);
    return { records, merged: mergeRecords(records.map(({ record }) => record)) };
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
    ofDocument: readOne,
    fileOf: ({ file }) => readFile.get(file) as { path: string; format: string } | undefined,
    *all() {
      for (const number of readNumbers.iterate()) {
        yield toSourceRecord(readOne(number as DocumentNumber).merged);
      }
    },
  };
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
