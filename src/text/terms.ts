/**
 * Turns words into index terms, so that "inhibits" and "inhibition" match. A term is the 32-bit
 * FNV-1a hash of the word's stem (Porter, "An algorithm for suffix stripping", 1980). It is small to
 * store. Among half a million stems, about 30 collide.
 */
import { stemmer } from 'stemmer';
import { stopWords } from './stop-words.ts';
import { wordsOf } from './words.ts';

export type Term = number;

/** Size of the cache of terms by word. Words repeat, and stemming is slow. */
const WORDS_CACHED_MAX = 50_000;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const IS_MIXED = /\d\D|\D\d/;
const PARTS = /\d+|\D+/g;

const cache = new Map<string, readonly Term[]>();

/** The terms of a text's words and of their parts, in order. */
export function termsOf(text: string): Term[] {
  const terms: Term[] = [];
  for (const word of wordsOf(text)) {
    for (const term of termsOfWord(word)) terms.push(term);
  }
  return terms;
}

/** The terms of a word and its parts, in the order of `wordAndParts`. */
export function termsOfWord(word: string): readonly Term[] {
  const known = cache.get(word);
  if (known !== undefined) return known;
  const terms = wordAndParts(word).map(termOf);
  // Clearing everything is simpler than evicting the oldest entries, and just as fast.
  if (cache.size >= WORDS_CACHED_MAX) cache.clear();
  cache.set(word, terms);
  return terms;
}

/** A word, and if it mixes digits with other characters, its parts too: "il6", "il", "6". */
export function wordAndParts(word: string): string[] {
  return IS_MIXED.test(word) ? [word, ...(word.match(PARTS) ?? [])] : [word];
}

/** The term of a word, which must be in lower case. */
export function termOf(word: string): Term {
  return hash(stemmer(word));
}

/** The terms of stop words and of single letters and digits. */
export const stopTerms: ReadonlySet<Term> = new Set(
  [...stopWords, ...'abcdefghijklmnopqrstuvwxyz0123456789'].map(termOf),
);

/** FNV-1a over the UTF-16 code units, unsigned (Fowler, Noll, Vo: draft-eastlake-fnv). */
function hash(text: string): Term {
  let value = FNV_OFFSET;
  for (let i = 0; i < text.length; i++) {
    value = Math.imul(value ^ text.charCodeAt(i), FNV_PRIME);
  }
  return value >>> 0;
}
