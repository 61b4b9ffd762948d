/** From text to words, the same way for queries and documents. Pure. */
import { stopWords } from './stop-words.ts';

/** Letters and digits; what joins them, a hyphen in "TNF-alpha", separates two words. */
const WORD = /[\p{L}\p{N}\p{Co}]+/gu;
/** Words with hyphens between them. */
const HYPHENATED = /[\p{L}\p{N}\p{Co}]+(?:[-\u2010-\u2013][\p{L}\p{N}\p{Co}]+)+/gu;
const HYPHEN = /[-\u2010-\u2013]/;
/** What joins a digit to what is none. */
const IS_SEAM = /^(?:\d\D|\D\d)$/;
/**
 * What FTS5 makes of accents, or it would not find the word: those of Latin letters are dropped,
 * others belong to their letters, and of those that make no letter of their own it drops these.
 */
const LATIN_MARKS = /(\p{Script=Latin})[\u0300-\u0331]+/gu;
const LOOSE_MARKS = /[\u0300-\u0331]+/g;
/** A text of nothing else is folded already but for its case. */
const ASCII_ONLY = /^\p{ASCII}*$/u;

/** The words of a text in their order, in lower case and without the accents of Latin letters. */
export function wordsOf(text: string): string[] {
  return fold(text).match(WORD) ?? [];
}

/** What a text writes with a hyphen between letter and digit, without it: "il6" where it has "IL-6". */
export function joinedWords(text: string): string[] {
  const joined = (fold(text).match(HYPHENATED) ?? []).flatMap((run) => {
    const words = run.split(HYPHEN);
    return words.slice(1).flatMap((word, at) => {
      const before = words[at] as string;
      return IS_SEAM.test(before.slice(-1) + word.charAt(0)) ? [before + word] : [];
    });
  });
  return [...new Set(joined)];
}

/**
 * The distinct words of a question without those that occur in every text, at most `wordsMax`. A
 * question of nothing but common words keeps them: "to be or not to be" is one.
 */
export function queryWords(text: string, wordsMax: number): string[] {
  const words = [...new Set(wordsOf(text))];
  const rare = words.filter((word) => !stopWords.has(word));
  return (rare.length > 0 ? rare : words).slice(0, wordsMax);
}

/** In lower case, without the accents of Latin letters. */
function fold(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase();
  const withoutMarks = text.normalize('NFD').replace(LATIN_MARKS, '$1');
  return withoutMarks.normalize('NFC').replace(LOOSE_MARKS, '').toLowerCase();
}
