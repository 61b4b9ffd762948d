/** Checks a document by its records, and records by each other. Pure. */

import { mergeRecords } from '../../identity/merge-records.ts';
import { contentHash, recordHash } from '../../identity/record-hash.ts';
import { identifierKeysOf } from '../../identity/record-keys.ts';
import { encodeReferences } from '../../identity/reference-list.ts';
import type { DocumentNumber } from '../../types.ts';
import { type Facets, facetsOf } from '../facets/facets.ts';
import type { StoredRecord } from '../records/stored-records.ts';
import { unlessDamaged } from '../unless-damaged.ts';

export type ReportProblem = (text: string) => void;

/** What a document has that its records decide. */
export interface DocumentRow {
  number: DocumentNumber;
  id: string;
  content_hash: Buffer;
  reason: string | null;
}

/** Checks that merging the records of a document yields that document. */
export function verifyMerged(
  row: DocumentRow,
  {
    records,
    facets,
    problem,
  }: { records: readonly StoredRecord[]; facets: Facets; problem: ReportProblem },
): void {
  if (!records.some(({ record }) => record.part === 'record')) {
    problem(`${row.id} has no record of a source`);
    return;
  }
  const merged = mergeRecords(records.map(({ record }) => record));
  const { document, withheld } = merged;
  if (!contentHash(document).equals(row.content_hash)) {
    problem(`${row.id}: its fields differ from those of its merged records`);
  }
  if ((withheld ?? null) !== row.reason) {
    const [stored, made] = [row.reason ?? 'not withheld', withheld ?? 'not withheld'];
    problem(`${row.id} is ${stored}, but its records make it ${made}`);
  }
  if (String(facets) !== String(facetsOf(merged))) {
    problem(`${row.id}: its facets differ from what its records say`);
  }
  for (const { number, record, cited, hash } of records) {
    const list = record.references === undefined ? cited : encodeReferences(record);
    if (hash.length === 0 || hash.equals(recordHash(record, list))) continue;
    problem(`${row.id}: its record ${number} does not match its hash`);
  }
}

/** Keeps the check going after what cannot be read. Returns whether it could be. */
export function attempt(otherwise: string, problem: ReportProblem, work: () => void): boolean {
  const isRead = unlessDamaged(() => {
    work();
    return true;
  });
  if (!isRead) problem(otherwise);
  return isRead ?? false;
}

/** Checks records that share the hash of a key: those of two documents share no identifier itself. */
export function verifyDistinct(records: readonly StoredRecord[], problem: ReportProblem): void {
  const documentOf = new Map<string, DocumentNumber | null>();
  for (const { record, document } of records) {
    if (record.part === 'merged') continue;
    for (const key of identifierKeysOf(record)) {
      const other = documentOf.get(key);
      if (other !== undefined && other !== document) {
        problem(`documents ${other} and ${document} are both ${key}`);
      }
      documentOf.set(key, document);
    }
  }
}
