/** Records on their way into an index with the toy model, for tests of what they change. */
import { type KeptRecord, recordHash } from '../../../src/identity/kept-record.ts';
import { prepareDocument, withVectors } from '../../../src/ingest/prepare.ts';
import type { Connection } from '../../../src/store/database/connection.ts';
import type {
  IndexedChange,
  IndexWriter,
} from '../../../src/store/index/documents/index-writer.ts';
import type {
  IncomingRecord,
  Outcome,
  PlannedDocument,
} from '../../../src/store/index/records/plan-change.ts';
import { createSourcesReader } from '../../../src/store/index/records/sources-of-documents.ts';
import type { Identifiers, SourceRecord } from '../../../src/types.ts';
import { toyVector } from './memory-index.ts';

export function incomingRecordOf(record: KeptRecord): IncomingRecord {
  return { record, hash: recordHash(record), file: null };
}

/** Planned, and the texts embedded that are new. */
export function toyChange(writer: IndexWriter, arrival: IncomingRecord): IndexedChange {
  const planned = writer.plan(arrival);
  const known = writer.unitsOf(planned);
  const contents = newDocuments(planned.documents).map((one) => {
    const prepared = prepareDocument(one.document, { known });
    return [one, withVectors(prepared, prepared.texts.map(toyVector))] as const;
  });
  return { arrival, planned, contents: new Map(contents) };
}

/** Lets a record arrive, as a build of one record would; tells what it came to. */
export function arrive(writer: IndexWriter, record: KeptRecord): Outcome {
  const change = toyChange(writer, incomingRecordOf(record));
  if (writer.apply([change]).length > 0) throw new Error('another connection came before');
  return change.planned.outcome;
}

/** Lets a source take a paper back. */
export function takeBack(
  writer: IndexWriter,
  source: KeptRecord['source'],
  deletion: Identifiers,
): Outcome {
  const change = toyChange(writer, { source, deletion });
  writer.apply([change]);
  return change.planned.outcome;
}

/** All documents, by their ids. */
export function documentsIn(db: Connection): SourceRecord[] {
  return sortById([...createSourcesReader(db).all()]);
}

export function sortById(records: readonly SourceRecord[]): SourceRecord[] {
  return [...records].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function newDocuments(documents: readonly PlannedDocument[]): PlannedDocument[] {
  return documents.filter(({ keeps }) => keeps === undefined);
}
