/**
 * Checks that the citation lists name exactly the works that the records cite. It keeps sums instead of
 * the citations, which would take as much memory as the table. Pure.
 */
import { hashKey } from '../../identity/record-keys.ts';
import { keysInReferences } from '../../identity/reference-list.ts';
import type { CitationBlock } from '../citations/citation-changes.ts';
import { decodeCiting } from '../citations/citing-list.ts';
import { keyOfStoredWork } from '../citations/stored-work.ts';
import type { StoredRecord } from '../records/stored-records.ts';
import type { ReportProblem } from './verify-merged.ts';

export function createCitationsCheck(problem: ReportProblem) {
  const missing = { count: 0, sum: 0 };
  const note = (key: number, document: number, by: 1 | -1): void => {
    missing.count += by;
    missing.sum = (missing.sum + by * scatter(key, document)) | 0;
  };
  return {
    /** Takes all records of a document. */
    document(records: readonly StoredRecord[]): void {
      const number = records[0]?.document ?? 0;
      for (const key of keysInReferences(records.map(({ cited }) => cited))) note(key, number, 1);
    },
    /** Takes a stored block. */
    block({ key, work: stored, documents }: CitationBlock): void {
      const work = keyOfStoredWork(stored);
      if (hashKey(work) !== key) problem(`the cited work ${work} is stored under another key`);
      for (const document of decodeCiting(documents)) note(key, document, -1);
    },
    /** Call it after all documents and blocks. */
    finish(): void {
      if (missing.count > 0) problem(`the citation lists lack ${missing.count} citations`);
      else if (missing.count < 0) problem(`the citation lists have ${-missing.count} too many`);
      else if (missing.sum !== 0) problem('the citation lists are not those of the records');
    },
  };
}

/** Hashes a citation (the finalizer of MurmurHash3, Austin Appleby). */
function scatter(key: number, document: number): number {
  let value = Math.imul(key | 0, 0x85ebca6b) ^ Math.floor(key / 2 ** 32) ^ Math.imul(document, 31);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) | 0;
}
