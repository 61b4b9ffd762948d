/**
 * Collects how a transaction changes who cites a work, on either database. A change removes all records
 * of a document and adds those that it then has, so the last word on a document and a work holds. Pure.
 */
import { keysOfCitedWork } from '../../identity/cited-work-keys.ts';
import { hashKey } from '../../identity/record-keys.ts';
import { keysInReferences, type WorkKey } from '../../identity/reference-list.ts';
import type { DocumentNumber } from '../../types.ts';
import type { NewRecord, StoredRecord } from '../records/stored-records.ts';
import { decodeCiting, encodeCiting } from './citing-list.ts';
import { storedWorkOf } from './stored-work.ts';

/** What citation lists are stored in: the citing documents of a work, in blocks of their numbers. */
export interface CitationBlock {
  key: WorkKey;
  block: number;
  /** What `storedWorkOf` returned for the key of the work. */
  work: string;
  documents: Buffer;
}

export interface CitationChanges {
  removed(record: StoredRecord): void;
  added(record: NewRecord, document: DocumentNumber): void;
  /** The changed works, ascending. */
  keys(): WorkKey[];
  /**
   * Returns the blocks of a work that differ from the stored ones. One without documents is to be
   * deleted.
   */
  blocksOf(key: WorkKey, stored: readonly CitationBlock[]): CitationBlock[];
}

/** `blockOf` returns the block of a document. */
export function collectCitations(blockOf: (document: DocumentNumber) => number): CitationChanges {
  const changes = new Map<WorkKey, Map<DocumentNumber, boolean>>();
  const works = new Map<WorkKey, string>();
  const note = (key: WorkKey, document: DocumentNumber, cites: boolean): void => {
    const ofKey = changes.get(key) ?? new Map<DocumentNumber, boolean>();
    changes.set(key, ofKey.set(document, cites));
  };
  return {
    removed({ document, cited }) {
      if (document === null) return;
      for (const key of keysInReferences([cited])) note(key, document, false);
    },
    added({ record, cited }, document) {
      for (const work of record.references?.flatMap(keysOfCitedWork) ?? []) {
        works.set(hashKey(work), storedWorkOf(work));
      }
      for (const key of keysInReferences([cited])) note(key, document, true);
    },
    keys: () => [...changes.keys()].sort((a, b) => a - b),
    blocksOf(key, stored) {
      const work = stored[0]?.work ?? works.get(key);
      const changed = changes.get(key) ?? new Map<DocumentNumber, boolean>();
      const blocks = new Set([...changed.keys()].map(blockOf));
      return [...blocks].flatMap((block) => {
        const before = stored.find((one) => one.block === block)?.documents ?? EMPTY;
        const citing = new Set(decodeCiting(before));
        for (const [document, cites] of changed) {
          if (blockOf(document) !== block) continue;
          if (cites) citing.add(document);
          else citing.delete(document);
        }
        const documents = encodeCiting([...citing].sort((a, b) => a - b));
        if (documents.equals(before)) return [];
        if (work === undefined) throw new Error(`the index has no name of the cited work ${key}`);
        return { key, block, work, documents };
      });
    },
  };
}

const EMPTY = Buffer.alloc(0);
