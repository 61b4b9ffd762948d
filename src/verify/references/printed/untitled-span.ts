/** Printed references without a title, as physics and astronomy print them. Pure. */
import type { Span } from './title-spans.ts';

export interface UntitledSpan extends Span {
  /** The words that may name a journal. */
  words: string[];
  /** Whether they can be nothing else: one word, or all abbreviated, as in "Phys. Rev. Lett." and "ApJ". */
  isAbbreviated: boolean;
}

/** "Publications of the Astronomical Society of the Pacific": no name of a journal has many more. */
const WORDS_MAX = 10;
const NO_NAME = /^(?:et|al|and|und|vol|no|pp?|doi|arxiv|preprint|in|press|eds?)$/;
const INITIALS_FIRST = /^\p{Lu}\p{Ll}?\./u;
const WORD = /\p{L}[\p{L}\p{M}'’-]*\.?/gu;
const ABBREVIATED = /\.$|\p{Lu}\P{Lu}*\p{Lu}/u;

interface Word {
  text: string;
  /** In lower case without accents and period. */
  plain: string;
  at: number;
}

/**
 * The empty place where a title would stand; undefined if the text has one, or is not by these people.
 * Without the names of the authors, the name of a journal with numbers is left.
 */
export function untitledSpan(text: string, authors: readonly string[]): UntitledSpan | undefined {
  const names = new Set(authors.flatMap((name) => wordsOf(name).map(({ plain }) => plain)));
  const words = wordsOf(text);
  const isName = ({ plain }: Word): boolean => plain.length > 1 && names.has(plain);
  if (!words.some(isName) || /["“„«‘]|``/.test(text)) return undefined;
  const others = words.filter(
    (word) => word.plain.length > 1 && !isName(word) && !NO_NAME.test(word.plain),
  );
  const numbers = text.match(/\d+/g) ?? [];
  if (others.length > WORDS_MAX || numbers.length < 2) return undefined;
  let start = Math.min(others[0]?.at ?? text.length, text.search(/\d/));
  if (INITIALS_FIRST.test(text)) {
    // What follows the last family name is no initial: "E. Falk, J. Phys."
    const family = words.findLast((word) => word.at < start && isName(word));
    if (family !== undefined) start = text.indexOf(',', family.at) + 1 || start;
  }
  return {
    start,
    end: start,
    words: others.map(({ plain }) => plain),
    isAbbreviated: others.length < 2 || others.every((word) => ABBREVIATED.test(word.text)),
  };
}

function wordsOf(text: string): Word[] {
  return [...text.matchAll(WORD)].map(({ 0: word, index }) => {
    const plain = word
      .normalize('NFKD')
      .replace(/\p{M}|\.$/gu, '')
      .toLowerCase();
    return { text: word, plain, at: index };
  });
}
