/** How many credits a purchase, a top-up or a cap may have. Pure. */

/** The most of one purchase, one top-up, one cap, and one warning. */
export const CREDITS_MAX = 1_000_000_000;

/** What a number of credits must be, for messages. */
export const CREDITS_RANGE = `a whole number from 1 to ${CREDITS_MAX.toLocaleString('en')}`;

/** Whether a value is a number of credits: a whole number from 1 to `CREDITS_MAX`. */
export function isCreditCount(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= CREDITS_MAX;
}

/** Credits as people type them, without signs and separators; undefined for anything else. */
export function parseCredits(text: string): number | undefined {
  if (!/^[1-9]\d{0,14}$/.test(text)) return undefined;
  const credits = Number(text);
  return isCreditCount(credits) ? credits : undefined;
}
