/** Checks that the postings have exactly the documents of each term, up to the watermark. */
import type { Term } from '../../../text/terms.ts';
import type { DocumentNumber } from '../../../types.ts';
import type { Connection } from '../../database/connection.ts';
import { decodeBlock, type PostingsBlock, prepareReadIndexedUpTo } from '../lexical/postings.ts';
import { type TermVector, termAt } from '../lexical/term-vectors.ts';

export interface PostingsCheck {
  document(document: DocumentNumber, terms: TermVector): void;
  /** Compares the stored postings with the documents. Call it after all documents. */
  finish(): void;
}

/**
 * Keeps a count and a checksum per term instead of whole postings lists, which would take as much
 * memory as the table. The checksum is a sum of hashed document numbers: two different lists of the
 * same length share it once in some billion times.
 */
export function createPostingsCheck(
  db: Connection,
  problem: (text: string) => void,
): PostingsCheck {
  const indexedUpTo = prepareReadIndexedUpTo(db)();
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
    finish() {
      const rows = db.prepare('SELECT term, part AS block, documents FROM postings').iterate();
      for (const row of rows as Iterable<PostingsBlock & { term: Term }>) {
        let before = 0;
        for (const document of decodeBlock(row)) {
          if (document > indexedUpTo) break;
          if (document <= before) problem(`the postings of term ${row.term} are not ascending`);
          before = document;
          note(row.term, document, -1);
        }
      }
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
