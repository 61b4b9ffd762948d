/** Numbers and times as pages show them. Pure. */

const number = new Intl.NumberFormat('en-GB');
const MINUS = '\u2212';

export function formatCount(value: number): string {
  return number.format(value).replace('-', MINUS);
}

/** With its sign, as a ledger has it. */
export function formatChange(value: number): string {
  return value > 0 ? `+${formatCount(value)}` : formatCount(value);
}

/** `1 search`, `2 searches`. */
export function formatCounted(value: number, one: string, many = `${one}s`): string {
  return `${formatCount(value)} ${value === 1 ? one : many}`;
}

const day = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** `14 Mar 2026`, in UTC. */
export function formatDay(time: number): string {
  return day.format(time);
}

/** `14 Mar 2026, 09:30 UTC`. */
export function formatTimestamp(time: number): string {
  return `${formatDay(time)}, ${new Date(time).toISOString().slice(11, 16)} UTC`;
}
