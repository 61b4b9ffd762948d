/** The optional last day of a key, as forms have it. Pure. */
import { DAY_MS, parseDay } from './filter-fields.ts';

/** Returns the last day of a key as a form shows it; empty for a key without one. */
export function expiryText(expiresAt: number | null): string {
  return expiresAt === null ? '' : new Date(expiresAt - 1).toISOString().slice(0, 10);
}

/** Reads the last day of a key: it works until that day ends in UTC. Empty text means no end. */
export function readExpiry(
  text: string,
  now: number,
): { expiresAt: number | null } | { error: string } {
  if (text === '') return { expiresAt: null };
  const day = parseDay(text);
  if (day === undefined) {
    return { error: `“${text}” is not a day. Enter a day such as 2027-03-14, or leave it empty.` };
  }
  const expiresAt = day + DAY_MS;
  if (expiresAt > now) return { expiresAt };
  return { error: `${text} is over. Enter today or a later day, or leave it empty.` };
}
