/**
 * What a record that arrives, or is taken back, changes: reads the records that it may belong
 * together with, makes the documents of them all anew, and compares these with those that there
 * are. Nothing is written here, so that the texts can be embedded between planning and writing.
 */
import { groupRecords } from '../../../identity/group-records.ts';
import { contentHash, type KeptRecord } from '../../../identity/kept-record.ts';
import { type MergedDocument, mergeRecords } from '../../../identity/merge-records.ts';
import { identifierKeysOf, keysOf, nameOf, schemeKeysOf } from '../../../identity/record-keys.ts';
import type { DocumentNumber, Identifiers } from '../../../types.ts';
import type { Connection } from '../../database/connection.ts';
import { createRecordTable, isSameRecord, type NewRecord, type StoredRecord } from './records.ts';
import { type FileNumber, prepareFindFile } from './source-files.ts';

/** Stands for a file without a row: nothing that is stored is from it. */
const NEW_FILE: FileNumber = -1;

/** What happened to the record. */
export type Outcome =
  | 'added'
  | 'updated'
  | 'unchanged'
  | 'merged' /* it became part of a document that other records had made */
  | 'waiting' /* an abstract without a paper */
  | 'deleted'
  | 'refused'; /* too many records would be one paper */

/** A document as it is to be. */
export interface PlannedDocument extends Pick<MergedDocument, 'document' | 'withheld'> {
  hash: Buffer;
  records: NewRecord[];
  /** The stored document that has the same texts: its sentences and vectors stay. */
  keeps: DocumentNumber | undefined;
}

export interface Plan {
  outcome: Outcome;
  /** The records that were read, of which it depends. */
  before: StoredRecord[];
  /** Those whose rows go; they come back with their documents. */
  taken: StoredRecord[];
  /** Documents that go. */
  erased: DocumentNumber[];
  documents: PlannedDocument[];
  waiting: NewRecord[];
  /** The keys of all records before and after. */
  keys: string[];
}

/** What comes from a source. */
export type IncomingRecord = NewRecord | { source: KeptRecord['source']; deletion: Identifiers };

interface StoredDocument {
  number: DocumentNumber;
  title: string;
  abstract: string;
  hash: Buffer;
  reason: string | null;
}

export type Planner = (arrival: IncomingRecord) => Plan;

export function createPlanner(db: Connection): Planner {
  const table = createRecordTable(db);
  const readDocument = db.prepare(
    `SELECT number, title, abstract, content_hash AS hash, reason
     FROM documents LEFT JOIN withheld_documents ON document = number WHERE number = ?`,
  );
  const documentsOf = (before: readonly StoredRecord[]): StoredDocument[] =>
    [...new Set(before.map(({ document }) => document))]
      .filter((number) => number !== null)
      .map((number) => readDocument.get(number) as StoredDocument);
  const findFile = prepareFindFile(db);
  const numberOf = (file: NewRecord['file']): FileNumber | null =>
    typeof file === 'object' && file !== null ? (findFile(file) ?? NEW_FILE) : file;
  return (arrival) => {
    const incomingKeys = keysOfIncomingRecord(arrival);
    const gathered = table.gather(incomingKeys);
    if (gathered === undefined) return emptyPlan('refused', [], incomingKeys);
    const { records: before, series } = gathered;
    const replaced = before.filter(({ record }) => isReplaced(record, arrival));
    const keys = [...new Set([...incomingKeys, ...before.flatMap(({ record }) => keysOf(record))])];
    const isStale =
      'record' in arrival
        ? replaced.some((stored) => isOlder(arrival, stored))
        : replaced.length === 0;
    if (isStale) return emptyPlan('unchanged', before, keys);
    const kept: NewRecord[] = before.filter((stored) => !replaced.includes(stored));
    const records = 'record' in arrival ? [...kept, arrival] : kept;
    const files = new Map(records.map(({ record, file }) => [record, numberOf(file)]));
    const groups = groupRecords(
      records.map(({ record }) => record),
      { series, fileOf: (record) => files.get(record) ?? null },
    );
    const change = compare(before, { records, groups, documents: documentsOf(before) });
    const outcome = outcomeOf(arrival, { replaced, change });
    return { outcome, before, keys, ...change };
  };
}

function emptyPlan(outcome: Outcome, before: StoredRecord[], keys: string[]): Plan {
  return { outcome, before, keys, taken: [], erased: [], documents: [], waiting: [] };
}

/** The keys that records may share with what arrives. */
export function keysOfIncomingRecord(arrival: IncomingRecord): string[] {
  return 'record' in arrival ? keysOf(arrival.record) : schemeKeysOf(arrival.deletion);
}

/** Whether a record goes because of what arrives. */
function isReplaced(record: KeptRecord, arrival: IncomingRecord): boolean {
  if ('record' in arrival) return nameOf(record) === nameOf(arrival.record);
  const keys = schemeKeysOf(arrival.deletion);
  return record.source === arrival.source && identifierKeysOf(record).some((k) => keys.includes(k));
}

/** What a source said before, or now in the same words, does not replace what it says. */
function isOlder(arrival: NewRecord, stored: StoredRecord): boolean {
  const { updatedAt } = arrival.record;
  if (updatedAt > 0 && stored.record.updatedAt > updatedAt) return true;
  return stored.hash.equals(arrival.hash);
}

type Change = Pick<Plan, 'taken' | 'erased' | 'documents' | 'waiting'>;

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
    documents: readonly StoredDocument[];
  },
): Change {
  const newOf = new Map(records.map((one) => [one.record, one]));
  const planned: PlannedDocument[] = [];
  const waiting: NewRecord[] = [];
  const free = new Set(documents);
  for (const group of groups) {
    if (!group.some(({ part }) => part === 'record')) {
      waiting.push(...group.map((record) => newOf.get(record) as NewRecord));
      continue;
    }
    const { document, withheld, records: ranked } = mergeRecords(group);
    const keeps = [...free].find(
      ({ title, abstract }) => title === document.title && abstract === document.abstract,
    );
    if (keeps !== undefined) free.delete(keeps);
    const own = ranked.map((record) => newOf.get(record) as NewRecord);
    const hash = contentHash(document);
    planned.push({ document, withheld, hash, records: own, keeps: keeps?.number });
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
    taken: before.filter(({ document }) => document === null || !untouched.has(document)),
    erased: [...free].map(({ number }) => number),
    documents: planned.filter(({ keeps }) => keeps === undefined || !untouched.has(keeps)),
    waiting,
  };
}

function outcomeOf(
  arrival: IncomingRecord,
  { replaced, change }: { replaced: readonly StoredRecord[]; change: Change },
): Outcome {
  if (!('record' in arrival)) return 'deleted';
  if (replaced.some((stored) => isSameContent(stored, arrival))) return 'unchanged';
  if (replaced.length > 0) return 'updated';
  const own = change.documents.find(({ records }) => records.includes(arrival));
  if (own === undefined) return 'waiting';
  const others = own.records.filter(({ record }) => record !== arrival.record);
  return others.some(({ record }) => record.part === 'record') ? 'merged' : 'added';
}

/** The same but for the time of the update. */
function isSameContent(stored: StoredRecord, arrival: NewRecord): boolean {
  const { updatedAt } = arrival.record;
  return isSameRecord({ ...stored, hash: EMPTY, record: { ...stored.record, updatedAt } }, arrival);
}

const EMPTY = Buffer.alloc(0);
