/** Queries with nothing to search for. Pure. */

/**
 * Characters that show nothing by themselves: white space, controls and format characters, whatever
 * Unicode says is not displayed (soft hyphens, variation selectors, Hangul fillers and the like),
 * combining marks, and noncharacters. The last four are letters and symbols that are drawn as a
 * blank: in Braille, in musical notation and in hieroglyphs.
 */
const ONLY_BLANK =
  /^[\p{White_Space}\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u{2800}\u{1D159}\u{13441}\u{13442}]*$/u;

/** Whether the text shows no character to a reader. True of the empty text. */
export function isBlank(text: string): boolean {
  return ONLY_BLANK.test(text);
}
