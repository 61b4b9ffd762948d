/**
 * The keys of the title index, as step 15 writes them. A frozen copy: it never changes, also where
 * today's code in src/identity/ does, because the steps after it expect exactly these keys.
 */
import { hashKey } from './document-keys.ts';

/** Long words tell titles apart. Titles that share two of their longest may be one. */
const LONGEST_WORDS = 4;
/** Shorter words, such as "the", are in too many titles. */
const WORD_LETTERS_MIN = 4;
/** A shorter main title names nothing. */
const MAIN_LETTERS_MIN = 3;

/** The keys of a title. A title without letters has none. */
export function titleKeysOf(title: string): number[] {
  const wholes = [title, mainTitle(title)].map(lettersOf).filter((letters) => letters !== '');
  const pairs = pairsOf(longestWords(title));
  const keys = [...wholes.map((each) => `whole:${each}`), ...pairs.map((each) => `pair:${each}`)];
  return [...new Set(keys.map(hashKey))];
}

/** The title before its subtitle, or the title itself if it has none. */
function mainTitle(title: string): string {
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

/** Letters and digits, without marks and in lower case. */
function lettersOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
