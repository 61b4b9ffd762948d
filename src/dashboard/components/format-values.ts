/** Formats numbers and times for pages. Pure. */
import { formatNumber } from '../../text/format-number.ts';
import { once } from '../../text/memoize.ts';
import { utcClock } from './clock.ts';

const MINUS = '\u2212';

export function formatCount(value: number): string {
  return formatNumber(value).replace('-', MINUS);
}

// The formats are made when a page needs them: with them, a server would start 60 ms later.
const decimal = once(
  () =>
    new Intl.NumberFormat('en-US', {
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
      // None for what is rounded to 0.
      signDisplay: 'negative',
    }),
);

/** Returns two decimals, such as `0.50`. */
export function formatDecimal(value: number): string {
  return decimal().format(value).replace('-', MINUS);
}

/** Formats a change with its sign. */
export function formatChange(value: number): string {
  return value > 0 ? `+${formatCount(value)}` : formatCount(value);
}

/** Returns `1 search` or `2 searches`. */
export function formatCounted(value: number, one: string, many = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : many}`;
}

/** Returns `1998–2026`, or one year. */
export function formatYears({ from, to }: { from: number; to: number }): string {
  return from === to ? String(to) : `${from}–${to}`;
}

/** Returns a day in UTC, such as `Mar 14, 2026`. */
export function formatDay(time: number): string {
  return utcClock.formatDay(time);
}

const month = once(
  () => new Intl.DateTimeFormat('en-US', { month: 'short', year: 'numeric', timeZone: 'UTC' }),
);

/** Returns a month in UTC, such as `Mar 2026`. */
export function formatMonth(time: number): string {
  return month().format(time);
}

/** Returns a time, such as `Mar 14, 2026, 09:30 UTC`. */
export function formatTimestamp(time: number): string {
  return `${formatDay(time)}, ${utcClock.formatTime(time, false)} UTC`;
}

/** Returns a duration, such as `120 ms` or `1.4 s`. */
export function formatMilliseconds(value: number): string {
  return value < 1_000 ? `${formatCount(Math.round(value))} ms` : `${(value / 1_000).toFixed(1)} s`;
}
