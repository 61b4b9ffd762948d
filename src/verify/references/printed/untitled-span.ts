/** Printed references without a title, as physics and astronomy print them. Pure. */
import type { Span } from './title-spans.ts';

/** "Astronomy and Astrophysics", "Phys. Rev. Lett.", "Mon. Not. R. Astron. Soc.": a title has more words. */
const VENUE_WORDS_MAX = 6;
const NO_TITLE = /^(?:et|al|and|und|vol|no|pp?|doi|arxiv|preprint|in|press|eds?|phd|thesis)$/;
const INITIALS_FIRST = /^\p{Lu}\p{Ll}?\./u;
const WORD = /\p{L}[\p{L}\p{M}'’-]*/gu;

/**
 * The empty place where a title would stand; undefined if the text has one, or is not by these people.
 * Without the names of the authors, at most the name of a venue with volume and page is left.
 */
export function untitledSpan(text: string, authors: readonly string[]): Span | undefined {
  const names = new Set(authors.flatMap((name) => wordsOf(name).map(([word]) => word)));
  const words = wordsOf(text);
  const [first] = words;
  if (first === undefined || !words.some(([word]) => word.length > 2 && names.has(word))) {
    return undefined;
  }
  const others = words.filter(
    ([word]) => word.length > 1 && !names.has(word) && !NO_TITLE.test(word),
  );
  const numbers = text.match(/\d+/g) ?? [];
  if (others.length > VENUE_WORDS_MAX || numbers.length < 2) return undefined;
  let start = Math.min(others[0]?.[1] ?? text.length, text.search(/\d/));
  if (INITIALS_FIRST.test(text)) {
    // What follows the last family name is no initial: "E. Falk, J. Phys."
    const family = words.findLast(([word, at]) => at < start && word.length > 2 && names.has(word));
    if (family !== undefined) start = text.indexOf(',', family[1]) + 1 || start;
  }
  return { start, end: start };
}

/** The words in lower case without accents, with their places. */
function wordsOf(text: string): [word: string, at: number][] {
  return [...text.matchAll(WORD)].map(({ 0: word, index }) => [
    word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase(),
    index,
  ]);
}
