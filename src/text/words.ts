/** Splits text into words, in the same way for queries and documents. Pure. */

/** Letters and digits. Everything else separates words, such as the hyphen in "TNF-alpha". */
const WORD = /[\p{L}\p{N}\p{Co}]+/gu;
/** Words joined by hyphens. It starts nowhere inside a word, so a long one takes linear time. */
const HYPHENATED =
  /(?<![\p{L}\p{N}\p{Co}])[\p{L}\p{N}\p{Co}]+(?:[-\u2010-\u2013][\p{L}\p{N}\p{Co}]+)+/gu;
const HYPHEN = /[-\u2010-\u2013]/;
/** The two characters around a hyphen, exactly one of which is a digit. */
const IS_SEAM = /^(?:\d\D|\D\d)$/;
/**
 * Diacritics are treated as FTS5 treats them, or it would not find the word. It drops those of Latin
 * letters, composes the others with their letters, and drops these where they do not compose.
 */
const LATIN_MARKS = /(\p{Script=Latin})[\u0300-\u0331]+/gu;
const LOOSE_MARKS = /[\u0300-\u0331]+/g;
const ASCII_ONLY = /^\p{ASCII}*$/u;

/** The words of a text in order, in lower case and without the diacritics of Latin letters. */
export function wordsOf(text: string): string[] {
  return fold(text).match(WORD) ?? [];
}

/** The distinct words with a hyphen between letter and digit, joined: "il6" for "IL-6". */
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

/** The text in lower case, without the diacritics of Latin letters. */
function fold(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase();
  const withoutMarks = text.normalize('NFD').replace(LATIN_MARKS, '$1');
  return withoutMarks.normalize('NFC').replace(LOOSE_MARKS, '').toLowerCase();
}
