/**
 * The keys of the title index, which finds papers by a title that may lack its subtitle or have a few
 * other words. A title has one key for all its letters, one for those of its main part, and one for
 * each pair of its longest words. Pure.
 */
import { hashKey, lettersOf } from './record-keys.ts';

/** Long words tell titles apart. Titles that share two of their longest may be one. */
const LONGEST_WORDS = 4;
/** Shorter words, such as "the", are in too many titles. */
const WORD_LETTERS_MIN = 4;
/** A shorter main title names nothing. */
const MAIN_LETTERS_MIN = 3;

export interface TitleKeys {
  /** Keys of the whole title and of its main part, if it has a subtitle. */
  whole: number[];
  /** Keys of the pairs of its longest words. */
  pairs: number[];
}

/** The keys of a title. A title without letters has none. */
export function titleKeysOf(title: string): TitleKeys {
  const wholes = [title, mainTitle(title)].map(lettersOf).filter((letters) => letters !== '');
  return {
    whole: distinctHashes(wholes.map((letters) => `whole:${letters}`)),
    pairs: distinctHashes(pairsOf(longestWords(title)).map((pair) => `pair:${pair}`)),
  };
}

/** The title before its subtitle, or the title itself if it has none. */
export function mainTitle(title: string): string {
  const [main = ''] = title.split(/[:?!]\s|\s[-–—]+\s|—/u, 1);
  return lettersOf(main).length >= MAIN_LETTERS_MIN ? main : title;
}

function longestWords(title: string): string[] {
  const words = new Set(title.split(/[^\p{L}\p{N}\p{M}]+/u).map(lettersOf));
  const long = [...words].filter((word) => word.length >= WORD_LETTERS_MIN);
  const sorted = long.sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return sorted.slice(0, LONGEST_WORDS).sort();
}

function pairsOf(words: readonly string[]): string[] {
  return words.flatMap((word, at) => words.slice(at + 1).map((other) => `${word} ${other}`));
}

function distinctHashes(keys: readonly string[]): number[] {
  return [...new Set(keys.map(hashKey))];
}
