/** Incoming records of an index with the toy model. */

import type { Connection } from '../../src/database/sqlite/connection.ts';
import type { KeptRecord } from '../../src/identity/kept-record.ts';
import type { IndexWriter } from '../../src/index/documents/index-writer.ts';
import type { IndexedChange } from '../../src/index/documents/make-change.ts';
import { exportRecords } from '../../src/index/documents/sources-of-documents.ts';
import type {
  IncomingRecord,
  Outcome,
  PlannedDocument,
} from '../../src/index/records/plan-change.ts';
import { newRecord } from '../../src/index/records/stored-records.ts';
import { prepareDocument, withVectors } from '../../src/ingest/prepare.ts';
import type { Identifiers, SourceRecord } from '../../src/types.ts';
import { toyVector } from './memory-index.ts';

export function incomingRecordOf(record: KeptRecord): IncomingRecord {
  return newRecord(record, null);
}

/** Plans a change and embeds the new texts. */
export function toyChange(writer: IndexWriter, incoming: IncomingRecord): IndexedChange {
  const planned = writer.plan(incoming);
  const known = writer.unitsOf(planned);
  const contents = newDocuments(planned.documents).map((one) => {
    const prepared = prepareDocument(one.document, { known });
    return [one, withVectors(prepared, prepared.texts.map(toyVector))] as const;
  });
  return { incoming, planned, contents: new Map(contents) };
}

/** Applies an incoming record, as a build of one record does. Returns its outcome. */
export function arrive(writer: IndexWriter, record: KeptRecord): Outcome {
  const change = toyChange(writer, incomingRecordOf(record));
  if (writer.apply([change]).length > 0) throw new Error('another connection came before');
  return change.planned.outcome;
}

/** Applies a deletion by a source. */
export function takeBack(
  writer: IndexWriter,
  source: KeptRecord['source'],
  deletion: Identifiers,
): Outcome {
  const change = toyChange(writer, { source, deletion });
  writer.apply([change]);
  return change.planned.outcome;
}

/** All documents by id. */
export function documentsIn(db: Connection): SourceRecord[] {
  return sortById([...exportRecords(db)]);
}

export function sortById(records: readonly SourceRecord[]): SourceRecord[] {
  return [...records].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function newDocuments(documents: readonly PlannedDocument[]): PlannedDocument[] {
  return documents.filter(({ keeps }) => keeps === undefined);
}
