/** What a planned change does to the tables of an index, in which order. Pure. */
import type { DocumentNumber, Embedding, SentenceSpan, SourceDocument } from '../../types.ts';
import type { QuantizedUnit } from '../dense/embeddings.ts';
import { type Facets, facetsOf } from '../facets/facets.ts';
import type { PaperChange } from '../records/paper-changes.ts';
import type { IncomingRecord, Plan, PlannedDocument } from '../records/plan-change.ts';
import type { NewRecord, RecordDocument, StoredRecord } from '../records/stored-records.ts';

/** A document ready to write. */
export interface IndexedDocument extends DocumentContent {
  source: SourceDocument;
}

/** What is derived from a document's texts. */
export interface DocumentContent {
  spans: SentenceSpan[];
  /** The document's own vector. */
  own: Embedding;
  /**
   * The vectors of the title and the sentences. Without a title, the own vector takes its place.
   */
  units: QuantizedUnit[];
}

/** An incoming record, what it changes, and the content of documents with new texts. */
export interface IndexedChange {
  incoming: IncomingRecord;
  planned: PlannedChange;
  contents: ReadonlyMap<PlannedDocument, DocumentContent>;
}

export interface PlannedChange extends Plan {
  /** The number of changes by other connections that this one had seen. */
  epoch: number;
}

/** The tables of an index, as the steps of a transaction write them. */
export interface ChangeSteps {
  removeRecord(stored: StoredRecord): void;
  addRecord(record: NewRecord, document: RecordDocument | null): void;
  /** Removes a document, whose records are removed already, with all that is derived from it. */
  removeDocument(number: DocumentNumber): void;
  /** Frees the ids of documents that are about to be updated: two of them may swap their ids. */
  freeIds(numbers: readonly DocumentNumber[]): void;
  /** Updates a document whose texts stay. */
  updateDocument(number: DocumentNumber, planned: PlannedDocument): void;
  /** Adds a document with all that is derived from its texts. Returns its number. */
  addDocument(planned: PlannedDocument, content: DocumentContent): DocumentNumber;
  withhold(number: DocumentNumber, reason: PlannedDocument['withheld']): void;
  putFacets(number: DocumentNumber, facets: Facets): void;
  /** Tells readers who follow the index. */
  noteChange(change: PaperChange): void;
}

export function makeChange(
  steps: ChangeSteps,
  { planned, contents }: Pick<IndexedChange, 'planned' | 'contents'>,
): void {
  for (const stored of planned.removedRecords) steps.removeRecord(stored);
  for (const number of planned.deletedDocuments) steps.removeDocument(number);
  steps.freeIds(planned.documents.flatMap(({ keeps }) => keeps ?? []));
  for (const one of planned.documents) {
    const number = putDocument(steps, one, contents.get(one));
    steps.withhold(number, one.withheld);
    const records = one.records.map(({ record }) => record);
    steps.putFacets(number, facetsOf({ ...one, records }));
    for (const record of one.records) steps.addRecord(record, { number, fields: one.document });
  }
  for (const record of planned.waiting) steps.addRecord(record, null);
  for (const change of planned.changes) steps.noteChange(change);
}

function putDocument(
  steps: ChangeSteps,
  planned: PlannedDocument,
  content: DocumentContent | undefined,
): DocumentNumber {
  const { document, keeps } = planned;
  if (keeps !== undefined) {
    steps.updateDocument(keeps, planned);
    return keeps;
  }
  if (content === undefined) throw new Error(`the content of ${document.id} was not made`);
  return steps.addDocument(planned, content);
}

/** Returns whether two lists have the same records with the same content. */
export function isSameGroup(now: readonly StoredRecord[], then: readonly StoredRecord[]): boolean {
  const found = new Map(now.map((stored) => [stored.number, stored.hash]));
  return (
    now.length === then.length &&
    then.every(({ number, hash }) => found.get(number)?.equals(hash) === true)
  );
}
