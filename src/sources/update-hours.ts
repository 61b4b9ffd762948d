/** The hours of the day at which the server updates sources. Pure. */
import { VerbatimError } from '../errors.ts';

const HOUR_MS = 3_600_000;

/** Parses hours such as `3` or `3,15`. Throws `usage` for anything else. */
export function parseHours(text: string): number[] {
  const parts = text.split(',').map((part) => part.trim());
  const hours = parts.filter((part) => part !== '').map(Number);
  if (hours.every((hour) => Number.isInteger(hour) && hour >= 0 && hour < 24)) return hours;
  throw new VerbatimError(
    'usage',
    'VERBATIM_SOURCE_UPDATE_HOURS must be hours from 0 to 23, separated by commas',
  );
}

/** The next of the hours, in milliseconds since 1970; undefined if there are none. */
export function nextRunAt(hours: string, now: number): number | undefined {
  const chosen = parseHours(hours);
  if (chosen.length === 0) return undefined;
  let hour = Math.floor(now / HOUR_MS) + 1;
  while (!chosen.includes(hour % 24)) hour++;
  return hour * HOUR_MS;
}
