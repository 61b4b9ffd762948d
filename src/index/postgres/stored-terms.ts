/** Terms are 32 bits. PostgreSQL has no unsigned numbers, so the upper half is stored as negative ones. */
import { type TermVector, termAt } from '../lexical/term-vectors.ts';

/** Returns the distinct terms of a document, as they are stored. */
export function storedTermsOf(terms: TermVector): number[] {
  return Array.from({ length: terms.size }, (_, at) => termAt(terms, at) | 0);
}
