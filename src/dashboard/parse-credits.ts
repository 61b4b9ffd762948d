/** Credits as people type them. Pure. */

const CREDITS_MAX = 1_000_000_000;

/** What is said of anything else, where the field may be left empty. */
export const CREDITS_ADVICE = 'Enter a whole number from 1 to 1,000,000,000, or leave it empty.';

/** A whole number of at least 1; undefined for anything else. */
export function parseCredits(text: string): number | undefined {
  if (!/^[1-9]\d{0,9}$/.test(text)) return undefined;
  const credits = Number(text);
  return credits <= CREDITS_MAX ? credits : undefined;
}
