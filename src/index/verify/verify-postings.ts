/** Checks that the postings have exactly the documents of each term, up to the watermark. Pure. */
import type { Term } from '../../text/terms.ts';
import type { DocumentNumber } from '../../types.ts';
import { decodeBlock, type PostingsBlock } from '../lexical/postings.ts';
import { type TermVector, termAt } from '../lexical/term-vectors.ts';

export interface PostingsCheck {
  document(document: DocumentNumber, terms: TermVector): void;
  /** Takes a stored block of a term. */
  block(stored: PostingsBlock & { term: Term }): void;
  /** Compares the postings with the documents. Call it after all documents and blocks. */
  finish(): void;
}

/**
 * Keeps a count and a checksum per term instead of whole postings lists, which would take as much
 * memory as the table. The checksum is a sum of hashed document numbers: two different lists of the
 * same length share it once in some billion times.
 */
export function createPostingsCheck(
  indexedUpTo: DocumentNumber,
  problem: (text: string) => void,
): PostingsCheck {
  const counts = new Map<Term, number>();
  const sums = new Map<Term, number>();
  const note = (term: Term, document: DocumentNumber, by: 1 | -1): void => {
    counts.set(term, (counts.get(term) ?? 0) + by);
    sums.set(term, ((sums.get(term) ?? 0) + by * scatter(document)) | 0);
  };
  return {
    document(document, terms) {
      if (document > indexedUpTo) return;
      for (let at = 0; at < terms.size; at++) note(termAt(terms, at), document, 1);
    },
    block(stored) {
      let before = 0;
      for (const document of decodeBlock(stored)) {
        if (document > indexedUpTo) break;
        if (document <= before) problem(`the postings of term ${stored.term} are not ascending`);
        before = document;
        note(stored.term, document, -1);
      }
    },
    finish() {
      for (const [term, count] of counts) {
        if (count !== 0) problem(`the postings of term ${term} lack ${count} documents`);
        else if (sums.get(term) !== 0) problem(`the postings of term ${term} are other documents`);
      }
    },
  };
}

/** Hashes a document number (the finalizer of MurmurHash3, Austin Appleby). */
function scatter(document: DocumentNumber): number {
  let value = Math.imul(document ^ (document >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) | 0;
}
