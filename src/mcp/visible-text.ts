/**
 * Frees text of characters that nobody sees. They could carry instructions that a reader of the
 * paper would not notice but a language model would follow. Pure.
 */

/**
 * Controls but tab and line feed, format characters such as tags and changes of direction, what
 * Unicode ignores by default such as variation selectors, and noncharacters.
 */
const INVISIBLE =
  /(?![\t\n])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;

/** Joiners decide about spelling in the scripts of Persian, Hindi, and others, but not in Latin. */
const JOINER = /^[\u200c\u200d]$/u;
const JOINING_LETTER = /^(?!\p{Script=Latin})[\p{L}\p{M}]$/u;

/** Returns the text without invisible characters and lone surrogates. */
export function visibleText(text: string): string {
  return text.toWellFormed().replace(INVISIBLE, (character, offset: number, whole: string) => {
    if (character === '\r') return '\n';
    if (!JOINER.test(character)) return '';
    const before = [...whole.slice(Math.max(0, offset - 2), offset)].at(-1) ?? '';
    const after = [...whole.slice(offset + 1, offset + 3)].at(0) ?? '';
    return JOINING_LETTER.test(before) && JOINING_LETTER.test(after) ? character : '';
  });
}
