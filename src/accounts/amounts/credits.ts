/** Credits as people read and write them, and how many a purchase, a top-up, or a cap may have. Pure. */
import { formatNumber } from '../../text/format-number.ts';

/** The maximum for one purchase, top-up, cap or warning. */
export const CREDITS_MAX = 1_000_000_000;

/** The allowed range, for messages. */
export const CREDITS_RANGE = `a whole number from 1 to ${formatNumber(CREDITS_MAX)}`;

/** Returns whether a value is a whole number from 1 to `CREDITS_MAX`. */
export function isCreditCount(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= CREDITS_MAX;
}

/** Parses a number of credits without signs and separators. Returns undefined for anything else. */
export function parseCredits(text: string): number | undefined {
  if (!/^[1-9]\d{0,14}$/.test(text)) return undefined;
  const credits = Number(text);
  return isCreditCount(credits) ? credits : undefined;
}

/** Returns `1 credit` or `1,000 credits`. */
export function formatCredits(credits: number): string {
  return `${formatNumber(credits)} ${credits === 1 ? 'credit' : 'credits'}`;
}
