/**
 * Plans what an incoming record, or the deletion of one, changes. It merges all records that may be
 * about the same paper into documents again, and compares these with the stored documents. It writes
 * nothing, so that texts can be embedded between planning and writing. Pure.
 */
import { groupRecords } from '../../identity/group-records.ts';
import type { KeptRecord } from '../../identity/kept-record.ts';
import { type MergedDocument, mergeRecords } from '../../identity/merge-records.ts';
import { contentHash } from '../../identity/record-hash.ts';
import {
  identifierKeysOf,
  idKeyOf,
  keysOf,
  nameKeyOf,
  nameOf,
  schemeKeysOf,
} from '../../identity/record-keys.ts';
import type { DocumentNumber, Identifiers } from '../../types.ts';
import type { Gathered } from './gather-records.ts';
import { changesOf, type PaperChange, type PaperState } from './paper-changes.ts';
import { isRemoved, leftOf, removedOf } from './removed-papers.ts';
import type { FileNumber } from './source-files.ts';
import { isNewFile, isSameRecord, type NewRecord, type StoredRecord } from './stored-records.ts';

/** Stands for a file without a row, from which no stored record can be. */
const NEW_FILE: FileNumber = -1;

/** What happens to the incoming record. */
export type Outcome =
  | 'added'
  | 'updated'
  | 'unchanged'
  | 'merged' /* it joins a document that other records had made */
  | 'waiting' /* a supplement without its paper */
  | 'keptAway' /* it belongs to a paper that was removed */
  | 'deleted'
  | 'refused'; /* too many records would be one paper */

/** A document as it will be. */
export interface PlannedDocument extends Pick<MergedDocument, 'document' | 'withheld' | 'details'> {
  hash: Buffer;
  records: NewRecord[];
  /** The stored document with the same texts, whose sentences and vectors stay. */
  keeps: DocumentNumber | undefined;
}

export interface Plan {
  outcome: Outcome;
  /** The records that were read. The plan is valid while they stay the same. */
  before: StoredRecord[];
  /** The records whose rows are removed. Those that stay come back with their documents. */
  removedRecords: StoredRecord[];
  deletedDocuments: DocumentNumber[];
  documents: PlannedDocument[];
  waiting: NewRecord[];
  /** How this changes papers. */
  changes: PaperChange[];
  /** The keys of all records before and after. */
  keys: string[];
}

/** A source's deletion of a record, by its identifiers, or by its id if it has none of its source. */
export interface Deletion {
  source: KeptRecord['source'];
  deletion: Identifiers;
  id?: string;
}

/** A record from a source, or a source's deletion of a record. */
export type IncomingRecord = NewRecord | Deletion;

/** A stored document, as far as a plan compares it. */
export interface PlannedFrom extends PaperState {
  number: DocumentNumber;
  title: string;
  abstract: string;
}

/** What is stored that may be about the same paper as an incoming record. */
export interface Related {
  /** Undefined if they are too many records for one paper. */
  gathered: Gathered | undefined;
  /** The documents of the gathered records. */
  documents: readonly PlannedFrom[];
  /** The number of the incoming record's file; undefined if it has no row. */
  file: FileNumber | undefined;
}

/** Returns the documents of records, ascending. */
export function documentsOf(records: readonly StoredRecord[]): DocumentNumber[] {
  const numbers = new Set(records.map(({ document }) => document));
  return [...numbers].filter((number) => number !== null).sort((a, b) => a - b);
}

/** Returns what an incoming record changes. */
export function planChange(arriving: IncomingRecord, { gathered, documents, file }: Related): Plan {
  const incomingKeys = keysOfIncomingRecord(arriving);
  if (gathered === undefined) return emptyPlan('refused', [], incomingKeys);
  const { records: before, series } = gathered;
  const incoming = unlessRemoved(arriving, before);
  const replaced = before.filter(({ record }) => isReplaced(record, incoming));
  const keys = [...new Set([...incomingKeys, ...before.flatMap(({ record }) => keysOf(record))])];
  const isStale =
    'record' in incoming
      ? replaced.some((stored) => isOlder(incoming, stored))
      : replaced.length === 0;
  if (isStale && incoming !== arriving) return emptyPlan('keptAway', before, keys);
  if (isStale || isMergedAway(incoming, before)) return emptyPlan('unchanged', before, keys);
  const kept: NewRecord[] = before.filter((stored) => !replaced.includes(stored));
  const records = 'record' in incoming ? [...kept, incoming] : kept;
  const files = new Map(records.map((one) => [one.record, fileOf(one, file)]));
  const all = records.map(({ record }) => record);
  const groups = groupRecords(
    all.filter(({ part }) => part !== 'merged'),
    { series, fileOf: (record) => files.get(record) ?? null },
  );
  for (const record of all) if (record.part === 'merged') groups.push([record]);
  const change = compare(before, { records, groups, documents });
  if (
    'record' in incoming &&
    isRemoved(groups.find((group) => group.includes(incoming.record)) ?? [])
  ) {
    const isNew = change.waiting.some((one) => !kept.includes(one));
    const isNothing = !isNew && change.documents.length + change.deletedDocuments.length === 0;
    if (isNothing) return emptyPlan('keptAway', before, keys);
    return { outcome: 'keptAway', before, keys, ...change };
  }
  const outcome = outcomeOf(incoming, { replaced, change });
  return { outcome, before, keys, ...change };
}

/** Returns an incoming record without its texts if its source's record of this name was removed. */
function unlessRemoved(incoming: IncomingRecord, before: readonly StoredRecord[]): IncomingRecord {
  if (!('record' in incoming)) return incoming;
  const isOut = before.some(
    ({ record }) => record.part === 'removed' && isNamedAlike(incoming.record, record),
  );
  return isOut ? removedOf(incoming) : incoming;
}

/** Only the incoming record names its file by its path. */
function fileOf({ file }: NewRecord, incoming: FileNumber | undefined): FileNumber | null {
  return isNewFile(file) ? (incoming ?? NEW_FILE) : file;
}

function emptyPlan(outcome: Outcome, before: StoredRecord[], keys: string[]): Plan {
  return {
    outcome,
    before,
    keys,
    removedRecords: [],
    deletedDocuments: [],
    documents: [],
    waiting: [],
    changes: [],
  };
}

/** Returns the keys by which other records may belong to the incoming one. */
export function keysOfIncomingRecord(incoming: IncomingRecord): string[] {
  if (!('record' in incoming)) return keysOfDeletion(incoming);
  const { record, edits } = incoming;
  return [...keysOf(record), ...(edits === undefined ? [] : [idKeyOf(edits)])];
}

function keysOfDeletion({ deletion, id }: Deletion): string[] {
  return [...schemeKeysOf(deletion), ...(id === undefined ? [] : [idKeyOf(id)])];
}

/** Returns whether the incoming record replaces or deletes a stored record. */
function isReplaced(record: KeptRecord, incoming: IncomingRecord): boolean {
  if ('record' in incoming) {
    const { record: own, edits } = incoming;
    if (record.part === 'record' && record.source === own.source && record.id === edits)
      return true;
    return nameOf(record) === nameOf(own) || (own.part === 'merged' && isNamedAlike(record, own));
  }
  // What its source deletes stays removed, too: another source may bring it back.
  if (record.part === 'removed') return false;
  const keys = keysOfDeletion(incoming);
  return (
    record.source === incoming.source && identifierKeysOf(record).some((k) => keys.includes(k))
  );
}

/** Returns whether the source has merged the incoming record into another one. */
function isMergedAway(incoming: IncomingRecord, before: readonly StoredRecord[]): boolean {
  if (!('record' in incoming)) return false;
  return before.some(
    ({ record }) => record.part === 'merged' && isNamedAlike(incoming.record, record),
  );
}

/** Returns whether a record is the one that its source calls by the name in one of another part. */
function isNamedAlike(record: KeptRecord, other: KeptRecord): boolean {
  if (record.part !== 'record' || record.source !== other.source) return false;
  return nameKeyOf(record) === nameKeyOf(other);
}

/** An older record, or one with the same content, does not replace a stored one of its source. */
function isOlder(incoming: NewRecord, stored: StoredRecord): boolean {
  const { updatedAt } = incoming.record;
  if (updatedAt > 0 && stored.record.updatedAt > updatedAt) return true;
  return stored.hash.equals(incoming.hash);
}

type Change = Pick<
  Plan,
  'removedRecords' | 'deletedDocuments' | 'documents' | 'waiting' | 'changes'
>;

/** The difference between the stored documents and those that these records make. */
function compare(
  before: readonly StoredRecord[],
  {
    records,
    groups,
    documents,
  }: {
    records: readonly NewRecord[];
    groups: readonly KeptRecord[][];
    documents: readonly PlannedFrom[];
  },
): Change {
  const newOf = new Map(records.map((one) => [one.record, one]));
  const planned: PlannedDocument[] = [];
  const waiting: NewRecord[] = [];
  const free = new Set(documents);
  for (const group of groups) {
    if (isRemoved(group)) {
      const own = group.map((record) => newOf.get(record) as NewRecord);
      waiting.push(...own.filter(({ record }) => record.part === 'removed'), ...leftOf(own));
      continue;
    }
    if (!group.some(({ part }) => part === 'record')) {
      waiting.push(...group.map((record) => newOf.get(record) as NewRecord));
      continue;
    }
    const { document, withheld, details, records: ranked } = mergeRecords(group);
    const keeps = [...free].find(
      ({ title, abstract }) => title === document.title && abstract === document.abstract,
    );
    if (keeps !== undefined) free.delete(keeps);
    const own = ranked.map((record) => newOf.get(record) as NewRecord);
    const hash = contentHash(document);
    planned.push({ document, withheld, details, hash, records: own, keeps: keeps?.number });
  }
  const isUntouched = (one: PlannedDocument): boolean => {
    const stored = documents.find(({ number }) => number === one.keeps);
    if (stored === undefined || !stored.hash.equals(one.hash)) return false;
    if (stored.reason !== (one.withheld ?? null)) return false;
    const were = before.filter(({ document }) => document === one.keeps);
    return were.length === one.records.length && were.every((each) => one.records.includes(each));
  };
  const untouched = new Set(planned.filter(isUntouched).map(({ keeps }) => keeps));
  return {
    removedRecords: before.filter(({ document }) => document === null || !untouched.has(document)),
    deletedDocuments: [...free].map(({ number }) => number),
    documents: planned.filter(({ keeps }) => keeps === undefined || !untouched.has(keeps)),
    waiting,
    changes: changesOf(documents, planned.map(stateOf)),
  };
}

function stateOf({ document: { id }, hash, withheld }: PlannedDocument): PaperState {
  return { id, hash, reason: withheld ?? null };
}

function outcomeOf(
  incoming: IncomingRecord,
  { replaced, change }: { replaced: readonly StoredRecord[]; change: Change },
): Outcome {
  if (!('record' in incoming)) return 'deleted';
  if (incoming.record.part === 'merged') return replaced.length > 0 ? 'deleted' : 'unchanged';
  if (replaced.some((stored) => isSameContent(stored, incoming))) return 'unchanged';
  if (replaced.length > 0) return 'updated';
  const own = change.documents.find(({ records }) => records.includes(incoming));
  if (own === undefined) return 'waiting';
  const others = own.records.filter(({ record }) => record !== incoming.record);
  return others.some(({ record }) => record.part === 'record') ? 'merged' : 'added';
}

/** Returns whether two records differ at most in the time of their update. */
function isSameContent(stored: StoredRecord, incoming: NewRecord): boolean {
  const { updatedAt } = incoming.record;
  return isSameRecord(
    { ...stored, hash: EMPTY, record: { ...stored.record, updatedAt } },
    incoming,
  );
}

const EMPTY = Buffer.alloc(0);
