/** Reads documents together with the records that they are made of. */
import { type MergedDocument, mergeRecords } from '../../../identity/merge-records.ts';
import { idKeyOf } from '../../../identity/record-keys.ts';
import type { DocumentNumber, SourceRecord } from '../../../types.ts';
import type { Connection } from '../../database/connection.ts';
import { createRecordTable, type StoredRecord } from './records.ts';

export interface DocumentWithSources {
  merged: MergedDocument;
  records: StoredRecord[];
}

export interface SourcesReader {
  /**
   * The documents that are known by this: the one with exactly this id, else those with one of the
   * keys, in whatever case it is written.
   */
  find(id: string, keys: readonly string[]): DocumentWithSources[];
  /** Path and format of a file that a record came from. */
  fileOf(record: StoredRecord): { path: string; format: string } | undefined;
  /** All documents, as records of which one alone makes each again. */
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
  return {
    find(id, keys) {
      const exact = readNumber.get(id) as DocumentNumber | undefined;
      if (exact !== undefined) return [readOne(exact)];
      const found = [idKeyOf(id), ...keys].flatMap((key) => table.found(key));
      const numbers = new Set(found.map(({ document }) => document));
      return [...numbers].filter((number) => number !== null).map(readOne);
    },
    fileOf: ({ file }) => readFile.get(file) as { path: string; format: string } | undefined,
    *all() {
      for (const number of readNumbers.iterate()) {
        yield toSourceRecord(readOne(number as DocumentNumber).merged);
      }
    },
  };
}

function toSourceRecord({
  document,
  identifiers,
  withheld,
  records,
}: MergedDocument): SourceRecord {
  return {
    ...document,
    identifiers,
    ...(withheld === undefined ? {} : { withheld }),
    updatedAt: Math.max(...records.map(({ updatedAt }) => updatedAt)),
  };
}
