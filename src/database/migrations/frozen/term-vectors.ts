/**
 * Terms as step 3 writes them. A frozen copy: it never changes, also where today's code in src/text/
 * does, because the steps after it expect exactly these bytes. The version of the package `stemmer`
 * is pinned for the same reason.
 *
 *   header   uint32 terms in title | uint32 terms in abstract | uint8 bytes of a mask
 *   entries  uint32 term | uint8 times in title | uint8 times in abstract | mask     by term
 *
 * A term is the 32-bit FNV-1a hash of a word's Porter stem. Bit n of the mask stands for sentence n,
 * the last bit for all further sentences.
 */
import { stemmer } from 'stemmer';

const HEADER_BYTES = 9;
const COUNTS_BYTES = 6;
const COUNT_MAX = 255;
const MASK_BITS_MAX = 32;
const WORDS_CACHED_MAX = 50_000;

const WORD = /[\p{L}\p{N}\p{Co}]+/gu;
const LATIN_MARKS = /(\p{Script=Latin})[\u0300-\u0331]+/gu;
const LOOSE_MARKS = /[\u0300-\u0331]+/g;
/** A word of digits and letters counts with its parts: "il6" with "il" and "6". */
const IS_MIXED = /\d\D|\D\d/;
const PARTS = /\d+|\D+/g;

export interface TermVector {
  blob: Buffer;
  distinct: readonly number[];
  /** Terms in title and abstract, repeated ones included. */
  length: number;
}

interface Counts {
  inTitle: number;
  inAbstract: number;
  mask: number;
}

/** Counts the terms of a document. */
export function packTermVector(title: string, sentences: readonly string[]): TermVector {
  const counts = new Map<number, Counts>();
  const countsOf = (term: number): Counts => {
    const found = counts.get(term) ?? { inTitle: 0, inAbstract: 0, mask: 0 };
    counts.set(term, found);
    return found;
  };
  const titleTerms = termsOf(title);
  for (const term of titleTerms) countsOf(term).inTitle++;
  let abstractTerms = 0;
  for (const [index, sentence] of sentences.entries()) {
    const bit = 1 << Math.min(index, MASK_BITS_MAX - 1);
    for (const term of termsOf(sentence)) {
      const found = countsOf(term);
      found.inAbstract++;
      found.mask |= bit;
      abstractTerms++;
    }
  }
  const maskBytes = sentences.length <= 8 ? 1 : sentences.length <= 16 ? 2 : 4;
  const entryBytes = COUNTS_BYTES + maskBytes;
  const blob = Buffer.alloc(HEADER_BYTES + counts.size * entryBytes);
  blob.writeUInt32LE(titleTerms.length, 0);
  blob.writeUInt32LE(abstractTerms, 4);
  blob.writeUInt8(maskBytes, 8);
  const distinct = [...Uint32Array.from(counts.keys()).sort()];
  for (const [index, term] of distinct.entries()) {
    const { inTitle, inAbstract, mask } = counts.get(term) as Counts;
    const at = HEADER_BYTES + index * entryBytes;
    blob.writeUInt32LE(term, at);
    blob.writeUInt8(Math.min(COUNT_MAX, inTitle), at + 4);
    blob.writeUInt8(Math.min(COUNT_MAX, inAbstract), at + 5);
    blob.writeUIntLE(mask >>> 0, at + COUNTS_BYTES, maskBytes);
  }
  return { blob, distinct, length: titleTerms.length + abstractTerms };
}

function termsOf(text: string): number[] {
  return (fold(text).match(WORD) ?? []).flatMap(termsOfWord);
}

/** Stemming is slow, and texts repeat themselves. */
const cache = new Map<string, number[]>();

function termsOfWord(word: string): number[] {
  const known = cache.get(word);
  if (known !== undefined) return known;
  const words = IS_MIXED.test(word) ? [word, ...(word.match(PARTS) ?? [])] : [word];
  const terms = words.map((each) => hash(stemmer(each)));
  if (cache.size >= WORDS_CACHED_MAX) cache.clear();
  cache.set(word, terms);
  return terms;
}

/** In lower case, without the accents of Latin letters. */
function fold(text: string): string {
  const withoutMarks = text.normalize('NFD').replace(LATIN_MARKS, '$1');
  return withoutMarks.normalize('NFC').replace(LOOSE_MARKS, '').toLowerCase();
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193);
  return value >>> 0;
}
