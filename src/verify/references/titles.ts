/** Compares titles. Pure. */
import { lettersOf } from '../../identity/record-keys.ts';
import { memoize } from '../../text/memoize.ts';
import { lettersIn, mainLettersIn } from './printed/title-letters.ts';

/** Titles with at least this share of words in common may be one title with mistakes. */
const SIMILAR_MIN = 0.6;
/** Shorter words are replaced by mistake, such as "for" by "of". */
const REPLACED_LETTERS_MIN = 5;

export type TitleRelation = 'same' | 'similar' | 'other';

/**
 * The relation of a cited title to that of a record. A title that lacks the subtitle is the same.
 * Case, punctuation, diacritics, and hyphens do not count.
 */
export function relateTitles(cited: string, recorded: string): TitleRelation {
  if (lettersIn(cited) === '' || lettersIn(recorded) === '') return 'other';
  if (isSameTitle(cited, recorded)) return 'same';
  return titleSimilarity(cited, recorded) >= SIMILAR_MIN ? 'similar' : 'other';
}

/** Whether their relation is `same`. */
export function isSameTitle(cited: string, recorded: string): boolean {
  const [own, whole] = [lettersIn(cited), lettersIn(recorded)];
  if (own === '' || whole === '') return false;
  // Many records lack the subtitle.
  return own === whole || own === mainLettersIn(recorded) || whole === mainLettersIn(cited);
}

/** The Dice coefficient of the words of two titles, 0 to 1. */
export function titleSimilarity(one: string, other: string): number {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  if (a.size + b.size === 0) return 0;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return (2 * shared) / (a.size + b.size);
}

/**
 * Whether the titles differ in one long word that is no misspelling of the other: it begins with another
 * letter.
 */
export function isOneWordReplaced(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  const [word = '', ...words] = [...a].filter((each) => !b.has(each));
  const [instead = '', ...more] = [...b].filter((each) => !a.has(each));
  if (words.length + more.length > 0 || word.charAt(0) === instead.charAt(0)) return false;
  return Math.min(word.length, instead.length) >= REPLACED_LETTERS_MIN;
}

/** The words of a text, in lower case and without diacritics. */
export const wordsOf = memoize((title): ReadonlySet<string> => {
  const words = new Set(title.split(/[^\p{L}\p{N}\p{M}]+/u).map(lettersOf));
  words.delete('');
  return words;
});
