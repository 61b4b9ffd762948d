/**
 * The term vector of a document: its terms, their frequencies, and the sentences that contain them.
 * BM25 and the choice of a sentence are computed from it without reading the text.
 *
 *   header   uint32 terms in title | uint32 terms in abstract | uint8 bytes of a mask
 *   entries  uint32 term | uint8 times in title | uint8 times in abstract | mask     by term
 *
 * Numbers are little-endian. Bit n of the mask says that sentence n contains the term; the last bit
 * stands for all further sentences. The mask has 1, 2 or 4 bytes, as the number of sentences needs.
 * Counts stop at 255, where BM25 is long saturated.
 */
import {
  type Term,
  type TermsOfWord,
  termsOf,
  termsOfWordBefore,
  termsOfWordIn,
} from '../../text/terms.ts';
import type { SentenceSpan } from '../../types.ts';
import { viewOf } from '../blob-view.ts';

const HEADER_BYTES = 9;
const COUNTS_BYTES = 6;
const COUNT_MAX = 255;
const MASK_BITS_MAX = 32;

interface Counts {
  inTitle: number;
  inAbstract: number;
  mask: number;
}

/** Counts the terms of a document and encodes them. */
export function encodeTermVector(
  title: string,
  abstract: string,
  spans: readonly SentenceSpan[],
  ofWord: TermsOfWord = termsOfWordIn(`${title}\n${abstract}`),
): Buffer {
  const counts = new Map<Term, Counts>();
  const titleTerms = termsOf(title, ofWord);
  for (const term of titleTerms) countsOf(counts, term).inTitle++;
  let abstractTerms = 0;
  for (const [index, { start, end }] of spans.entries()) {
    const bit = 1 << maskBit(index);
    for (const term of termsOf(abstract.slice(start, end), ofWord)) {
      const count = countsOf(counts, term);
      count.inAbstract++;
      count.mask |= bit;
      abstractTerms++;
    }
  }
  const maskBytes = spans.length <= 8 ? 1 : spans.length <= 16 ? 2 : 4;
  const blob = Buffer.alloc(HEADER_BYTES + counts.size * (COUNTS_BYTES + maskBytes));
  blob.writeUInt32LE(titleTerms.length, 0);
  blob.writeUInt32LE(abstractTerms, 4);
  blob.writeUInt8(maskBytes, 8);
  let at = HEADER_BYTES;
  // A typed array sorts numbers without a comparison function, five times as fast.
  for (const term of Uint32Array.from(counts.keys()).sort()) {
    const { inTitle, inAbstract, mask } = counts.get(term) as Counts;
    blob.writeUInt32LE(term, at);
    blob.writeUInt8(Math.min(COUNT_MAX, inTitle), at + 4);
    blob.writeUInt8(Math.min(COUNT_MAX, inAbstract), at + 5);
    blob.writeUIntLE(mask >>> 0, at + COUNTS_BYTES, maskBytes);
    at += COUNTS_BYTES + maskBytes;
  }
  return blob;
}

/**
 * Returns what a document's vector should be, to compare it with the stored one: that of version 0.2.0 if it
 * is stored, because an index keeps it until a document changes.
 */
export function expectedTermVector(
  { title, abstract }: { title: string; abstract: string },
  spans: readonly SentenceSpan[],
  stored: Buffer | undefined,
): Buffer {
  const expected = encodeTermVector(title, abstract, spans);
  if (stored === undefined || expected.equals(stored)) return expected;
  const before = encodeTermVector(title, abstract, spans, termsOfWordBefore);
  return before.equals(stored) ? before : expected;
}

/** Returns the bit of a sentence in a mask. */
export function maskBit(sentence: number): number {
  return Math.min(sentence, MASK_BITS_MAX - 1);
}

/** An encoded term vector, read in place. */
export interface TermVector {
  view: DataView;
  /** The first byte of its entries in the view. */
  start: number;
  /** Terms in title and abstract, with repetitions. */
  length: number;
  /** Distinct terms. */
  size: number;
  entryBytes: number;
}

export function decodeTermVector(blob: Buffer): TermVector {
  const view = viewOf(blob);
  const at = blob.byteOffset;
  const entryBytes = COUNTS_BYTES + view.getUint8(at + 8);
  return {
    view,
    entryBytes,
    start: at + HEADER_BYTES,
    length: view.getUint32(at, true) + view.getUint32(at + 4, true),
    size: (blob.length - HEADER_BYTES) / entryBytes,
  };
}

/** Greater than every term. */
const TERM_END = 2 ** 32;

/**
 * Returns the position of a term's entry, -1 if the document does not contain it. Terms are evenly
 * distributed hashes, so interpolation search (Peterson 1957) finds them in a few steps, faster
 * than binary search.
 */
export function findTerm({ view, start, entryBytes, size }: TermVector, wanted: Term): number {
  let at = Math.floor((wanted / TERM_END) * size);
  while (at > 0 && view.getUint32(start + (at - 1) * entryBytes, true) >= wanted) at--;
  for (; at < size; at++) {
    const term = view.getUint32(start + at * entryBytes, true);
    if (term >= wanted) return term === wanted ? at : -1;
  }
  return -1;
}

/** Returns the term of the entry at a position. Entries are sorted by term. */
export function termAt({ view, start, entryBytes }: TermVector, at: number): Term {
  return view.getUint32(start + at * entryBytes, true);
}

/** Returns all terms. */
export function termsIn(terms: TermVector): Term[] {
  return Array.from({ length: terms.size }, (_, at) => termAt(terms, at));
}

export function countInTitle({ view, start, entryBytes }: TermVector, at: number): number {
  return view.getUint8(start + at * entryBytes + 4);
}

export function countInAbstract({ view, start, entryBytes }: TermVector, at: number): number {
  return view.getUint8(start + at * entryBytes + 5);
}

/** Returns the sentences that contain the term: bit n for sentence n, see `maskBit`. */
export function sentenceMask({ view, start, entryBytes }: TermVector, at: number): number {
  const maskAt = start + at * entryBytes + COUNTS_BYTES;
  const bytes = entryBytes - COUNTS_BYTES;
  if (bytes === 1) return view.getUint8(maskAt);
  return bytes === 2 ? view.getUint16(maskAt, true) : view.getUint32(maskAt, true);
}

function countsOf(counts: Map<Term, Counts>, term: Term): Counts {
  const known = counts.get(term);
  if (known !== undefined) return known;
  const fresh = { inTitle: 0, inAbstract: 0, mask: 0 };
  counts.set(term, fresh);
  return fresh;
}
