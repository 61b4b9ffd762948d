/** Checks that the postings name the listed documents of every term, all of them and no others. */
import type { Term } from '../../../text/terms.ts';
import type { DocumentNumber } from '../../../types.ts';
import type { Connection } from '../../database/connection.ts';
import { prepareReadListed, type StoredPart, unpackPart } from '../lexical/postings.ts';
import { type TermVector, termAt } from '../lexical/term-vectors.ts';

export interface PostingsCheck {
  document(document: DocumentNumber, terms: TermVector): void;
  /** After all documents: compares what was stored with what they have. */
  finish(): void;
}

/**
 * Whole lists would take as much memory as the table. So of each term the number of its documents
 * is kept, and the sum of as many numbers that look as if drawn by chance: two lists that differ
 * have the same of both once in some billion times.
 */
export function createPostingsCheck(
  db: Connection,
  problem: (text: string) => void,
): PostingsCheck {
  const listed = prepareReadListed(db)();
  const counts = new Map<Term, number>();
  const sums = new Map<Term, number>();
  const note = (term: Term, document: DocumentNumber, by: 1 | -1): void => {
    counts.set(term, (counts.get(term) ?? 0) + by);
    sums.set(term, ((sums.get(term) ?? 0) + by * scatter(document)) | 0);
  };
  return {
    document(document, terms) {
      if (document > listed) return;
      for (let at = 0; at < terms.size; at++) note(termAt(terms, at), document, 1);
    },
    finish() {
      const rows = db.prepare('SELECT term, part, documents FROM postings').iterate();
      for (const row of rows as Iterable<StoredPart & { term: Term }>) {
        let before = 0;
        for (const document of unpackPart(row)) {
          if (document > listed) break;
          if (document <= before) problem(`postings of term ${row.term}: not ascending`);
          before = document;
          note(row.term, document, -1);
        }
      }
      for (const [term, count] of counts) {
        if (count !== 0) problem(`postings of term ${term}: ${count} documents are missing`);
        else if (sums.get(term) !== 0) problem(`postings of term ${term}: other documents have it`);
      }
    },
  };
}

/** A number that tells nothing of the next document's (the finalizer of MurmurHash3, Appleby). */
function scatter(document: DocumentNumber): number {
  let value = Math.imul(document ^ (document >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) | 0;
}
