/** Detects queries without a visible character. Pure. */

/**
 * Characters that show nothing by themselves: white space, control and format characters, combining
 * marks, noncharacters, and the characters that Unicode ignores by default, such as soft hyphens,
 * variation selectors and Hangul fillers. The last four are letters and symbols drawn as a blank,
 * in Braille, musical notation and hieroglyphs.
 */
const ONLY_BLANK =
  /^[\p{White_Space}\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u{2800}\u{1D159}\u{13441}\u{13442}]*$/u;

/** Whether the text has no visible character. True for the empty text. */
export function isBlank(text: string): boolean {
  return ONLY_BLANK.test(text);
}
