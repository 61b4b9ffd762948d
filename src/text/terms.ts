/**
 * Turns words into index terms, so that "inhibits" and "inhibition" match. A term is the 32-bit
 * FNV-1a hash of the word's stem (Porter, "An algorithm for suffix stripping", 1980). It is small to
 * store. Among half a million stems, about 30 collide. Words of other languages in Latin script are not
 * stemmed. Those of Chinese, Japanese, and Korean, which no spaces separate, are found by bigrams.
 */
import { stemmer } from 'stemmer';
import { isWorded, languageOf } from './language.ts';
import { stopWords } from './stop-words.ts';
import { wordsOf } from './words.ts';

export type Term = number;

/** Size of the cache of terms by word. Words repeat, and stemming is slow. */
const WORDS_CACHED_MAX = 50_000;
/** A longer word is a passage of Chinese, which hardly comes up again. */
const WORD_CACHED_CHARACTERS_MAX = 64;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const IS_MIXED = /\d\D|\D\d/;
const PARTS = /\d+|\D+/g;
/** Letters of Chinese, Japanese, and Korean, with the mark that lengthens a vowel. */
const IDEOGRAPHIC = '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}';
const IS_IDEOGRAPHIC = new RegExp(`[${IDEOGRAPHIC}]`, 'u');
/** Runs of such letters, of digits, and of other letters. */
const RUNS = new RegExp(`[${IDEOGRAPHIC}]+|\\d+|[^\\d${IDEOGRAPHIC}]+`, 'gu');

const cache = new Map<string, readonly Term[]>();

/** Returns the terms of a word and its parts, in the order of `wordAndParts`. */
export type TermsOfWord = (word: string) => readonly Term[];

/** The terms of a text's words and of their parts, in order. */
export function termsOf(text: string, ofWord: TermsOfWord = termsOfWord): Term[] {
  const terms: Term[] = [];
  for (const word of wordsOf(text)) {
    for (const term of ofWord(word)) terms.push(term);
  }
  return terms;
}

/** How the words of a text become terms: stemmed, unless they are of a language that is not English. */
export function termsOfWordIn(text: string): TermsOfWord {
  return isWorded(languageOf(text)) ? unstemmedTermsOfWord : termsOfWord;
}

/** How version 0.2.0 made them, for every text. */
export const termsOfWordBefore: TermsOfWord = (word) => wordAndDigits(word).map(termOf);

const unstemmedTermsOfWord: TermsOfWord = (word) => wordAndParts(word).map(hash);

/** The stemmed terms. */
export function termsOfWord(word: string): readonly Term[] {
  const known = cache.get(word);
  if (known !== undefined) return known;
  const terms = wordAndParts(word).map(termOf);
  if (word.length > WORD_CACHED_CHARACTERS_MAX) return terms;
  // Clearing everything is simpler than evicting the oldest entries, and just as fast.
  if (cache.size >= WORDS_CACHED_MAX) cache.clear();
  cache.set(word, terms);
  return terms;
}

/**
 * What a question looks up for one of its words: the word and its parts, each with its term. In another
 * language these are terms without stemming and, for papers in English and those of an older index, with it.
 */
export function lookUpsOf(word: string, isEnglish: boolean): { word: string; term: Term }[] {
  const parts = wordAndParts(word);
  const pair = (term: Term, at: number) => ({ word: parts[at] as string, term });
  const stemmed = termsOfWord(word).map(pair);
  return isEnglish ? stemmed : [...unstemmedTermsOfWord(word).map(pair), ...stemmed];
}

/**
 * A word, and its parts if it mixes digits with other characters ("il6", "il", "6") or has letters of
 * Chinese, Japanese, or Korean: of these each two neighbors ("血红蛋白", "血红", "红蛋", "蛋白").
 */
export function wordAndParts(word: string): string[] {
  if (!IS_IDEOGRAPHIC.test(word)) return wordAndDigits(word);
  const runs = word.match(RUNS) ?? [];
  const parts = runs.flatMap((run) => (IS_IDEOGRAPHIC.test(run) ? bigramsOf(run) : [run]));
  return parts.length === 1 && parts[0] === word ? parts : [word, ...parts];
}

function wordAndDigits(word: string): string[] {
  return IS_MIXED.test(word) ? [word, ...(word.match(PARTS) ?? [])] : [word];
}

/** Each two neighboring characters; a single character as it is. */
function bigramsOf(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, at) => (characters[at] as string) + character);
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
