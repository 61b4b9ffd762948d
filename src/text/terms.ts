/**
 * Terms: what words are counted as, so that "inhibits" and "inhibition" are one. A term is the
 * 32-bit FNV-1a hash of the word's Porter stem: small to store, and of half a million stems some
 * thirty share theirs with another.
 */
import { stemmer } from 'stemmer';
import { stopWords } from './stop-words.ts';
import { wordsOf } from './words.ts';

export type Term = number;

/** Words whose terms are remembered; texts repeat themselves, and stemming is slow. */
const WORDS_CACHED_MAX = 50_000;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const IS_MIXED = /\d\D|\D\d/;
const PARTS = /\d+|\D+/g;

const cache = new Map<string, readonly Term[]>();

/** The terms of a text in their order, those of the parts of its words included. */
export function termsOf(text: string): Term[] {
  const terms: Term[] = [];
  for (const word of wordsOf(text)) {
    for (const term of termsOfWord(word)) terms.push(term);
  }
  return terms;
}

/** The terms of a word and its parts, as `withParts` gives them. */
export function termsOfWord(word: string): readonly Term[] {
  const known = cache.get(word);
  if (known !== undefined) return known;
  const terms = withParts(word).map(termOf);
  // Forgetting everything now and then is simpler than remembering what is old, and as good.
  if (cache.size >= WORDS_CACHED_MAX) cache.clear();
  cache.set(word, terms);
  return terms;
}

/** A word and, where it mixes digits and letters, its parts: "il6" is also found by "il" and "6". */
export function withParts(word: string): string[] {
  return IS_MIXED.test(word) ? [word, ...(word.match(PARTS) ?? [])] : [word];
}

/** The term of a word in lower case. */
export function termOf(word: string): Term {
  return hash(stemmer(word));
}

/** Terms that say nothing about a text: those of stop words, and of single letters and digits. */
export const emptyTerms: ReadonlySet<Term> = new Set(
  [...stopWords, ...'abcdefghijklmnopqrstuvwxyz0123456789'].map(termOf),
);

/** Hash of the UTF-16 units, unsigned (Fowler, Noll, Vo: draft-eastlake-fnv). */
function hash(text: string): Term {
  let value = FNV_OFFSET;
  for (let i = 0; i < text.length; i++) {
    value = Math.imul(value ^ text.charCodeAt(i), FNV_PRIME);
  }
  return value >>> 0;
}
