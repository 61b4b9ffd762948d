/**
 * Collects what the changes of a batch do to the tables, so that each table is written once in a
 * batch. Numbers are assigned here, because the writer holds the lock on the facts. Pure.
 */
import type { DocumentId, DocumentNumber } from '../../types.ts';
import { type CitationChanges, collectCitations } from '../citations/citation-changes.ts';
import type { ChangeSteps, DocumentContent } from '../documents/make-change.ts';
import type { Facets } from '../facets/facets.ts';
import type { PaperChange } from '../records/paper-changes.ts';
import type { PlannedDocument } from '../records/plan-change.ts';
import type { NewRecord, RecordDocument, StoredRecord } from '../records/stored-records.ts';
import type { IndexFacts } from './facts.ts';

export interface PendingRecord {
  number: number;
  added: NewRecord;
  /** Null if it waits for its paper. */
  document: RecordDocument | null;
}

export interface PendingDocument {
  number: DocumentNumber;
  planned: PlannedDocument;
  content: DocumentContent;
}

/** What a batch changes. No number is in two of the lists of documents. */
export interface PendingChanges {
  removedRecords: StoredRecord[];
  removedDocuments: DocumentNumber[];
  updatedDocuments: { number: DocumentNumber; planned: PlannedDocument }[];
  addedDocuments: PendingDocument[];
  addedRecords: PendingRecord[];
  withheld: Map<DocumentNumber, PlannedDocument['withheld']>;
  facets: Map<DocumentNumber, Facets>;
  paperChanges: Map<DocumentId, PaperChange>;
  /** In blocks by their partitions. */
  citations: CitationChanges;
  /** The last numbers after the batch. */
  lastDocument: DocumentNumber;
  lastRecord: number;
}

/** Returns the steps of changes, and what they add up to. */
export function collectChanges({
  lastDocument,
  lastRecord,
  shards,
}: Pick<IndexFacts, 'lastDocument' | 'lastRecord' | 'shards'>): {
  steps: ChangeSteps;
  pending: PendingChanges;
} {
  const pending: PendingChanges = {
    removedRecords: [],
    removedDocuments: [],
    updatedDocuments: [],
    addedDocuments: [],
    addedRecords: [],
    withheld: new Map(),
    facets: new Map(),
    paperChanges: new Map(),
    citations: collectCitations((document) => document % shards),
    lastDocument,
    lastRecord,
  };
  const steps: ChangeSteps = {
    removeRecord(stored) {
      pending.removedRecords.push(stored);
      pending.citations.removed(stored);
    },
    addRecord(added, document) {
      if (document !== null) pending.citations.added(added, document.number);
      pending.addedRecords.push({ number: ++pending.lastRecord, added, document });
    },
    removeDocument: (number) => void pending.removedDocuments.push(number),
    // No unique index keeps two documents from having an id in between.
    freeIds() {},
    updateDocument: (number, planned) => void pending.updatedDocuments.push({ number, planned }),
    addDocument(planned, content) {
      const number = ++pending.lastDocument;
      pending.addedDocuments.push({ number, planned, content });
      return number;
    },
    withhold: (number, reason) => void pending.withheld.set(number, reason),
    putFacets: (number, facets) => void pending.facets.set(number, facets),
    noteChange: (change) => void pending.paperChanges.set(change.id, change),
  };
  return { steps, pending };
}
