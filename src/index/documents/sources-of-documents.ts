/** Reads documents together with the records from which they are merged. */

import type { Connection } from '../../database/sqlite/connection.ts';
import { prepareReadTransaction } from '../../database/sqlite/read-transaction.ts';
import { VerbatimError } from '../../errors.ts';
import { citedWorkOf } from '../../identity/cited-work-keys.ts';
import type { MergedDocument } from '../../identity/merge-records.ts';
import type { DocumentNumber, SourceRecord } from '../../types.ts';
import type { DocumentReferences } from '../citations/document-references.ts';
import { createCitationsReader } from '../citations/stored-citations.ts';
import { documentNumbers } from '../document-numbers.ts';
import { readTotals } from '../index-facts.ts';
import { createRecordTable } from '../records/records.ts';
import type { SourceFile } from '../records/source-files.ts';
import type { StoredRecord } from '../records/stored-records.ts';
import { unlessDamaged } from '../unless-damaged.ts';
import { createDocumentReader } from './documents.ts';
import { soundMerge } from './stored-document.ts';

export interface DocumentWithSources {
  merged: MergedDocument;
  records: StoredRecord[];
}

/** A document with the file of each of its records, in their order. */
export interface FoundDocument extends DocumentWithSources {
  files: (SourceFile | undefined)[];
}

/** Returns a function that reads a document. It throws `verify_failed` if it is damaged. */
export function prepareReadSources(db: Connection): (number: DocumentNumber) => FoundDocument {
  const table = createRecordTable(db);
  const documents = createDocumentReader(db);
  const readFile = db.prepare('SELECT path, format FROM source_files WHERE number = ?');
  return (number) => {
    const records = unlessDamaged(() => table.ofDocument(number)) ?? [];
    const merged = soundMerge(records, () => documents.read(number) !== undefined);
    if (merged === undefined) throw damagedError(number);
    const files = records.map(({ file }) => readFile.get(file) as SourceFile | undefined);
    return { records, merged, files };
  };
}

/** Documents between two looks. */
const RECORDS_PER_LOOK = 100;

/**
 * Yields each document as one record that makes the same document again, but for those that are
 * damaged. Returns how many it left out. Reads one state of the index, and calls `look` now and then.
 */
export function* exportRecords(
  db: Connection,
  look: () => void = () => {},
): Generator<SourceRecord, number> {
  const { merged: read } = createDocumentReader(db);
  const { references } = createCitationsReader(db);
  const transaction = prepareReadTransaction(db);
  transaction.begin();
  try {
    const { documents } = readTotals(db);
    let records = 0;
    for (const number of documentNumbers(db)) {
      const merged = read(number);
      if (merged === undefined) continue;
      if (++records % RECORDS_PER_LOOK === 0) look();
      yield toSourceRecord(merged, references(number));
    }
    return Math.max(0, documents - records);
  } finally {
    transaction.end();
  }
}

/** The error of a command that was asked for one document, which is damaged. */
export function damagedError(document: DocumentNumber): VerbatimError {
  const advice = '`verbatim index verify` lists what is damaged';
  return new VerbatimError('verify_failed', `document ${document} is damaged; ${advice}`);
}

/** Returns one record that makes the same document again. */
export function toSourceRecord(
  { document, identifiers, withheld, details, records }: MergedDocument,
  { works }: Pick<DocumentReferences, 'works'>,
): SourceRecord {
  return {
    ...document,
    identifiers,
    ...(withheld === undefined ? {} : { withheld }),
    ...(Object.keys(details).length === 0 ? {} : { details }),
    ...(works.length === 0 ? {} : { references: inStoredOrder(works).map(citedWorkOf) }),
    updatedAt: Math.max(...records.map(({ updatedAt }) => updatedAt)),
  };
}

/** As `encodeReferences` stores works, so that an export that is read again is the same. */
function inStoredOrder(works: readonly string[][]): string[][] {
  return [...works.filter(({ length }) => length < 2), ...works.filter(({ length }) => length > 1)];
}
