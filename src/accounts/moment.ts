/** Times as operators type them: a day or a minute, in UTC. Pure. */

export const MOMENT_FORM = 'a day or a minute in UTC, such as 2026-03-14 or 2026-03-14T02:30';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * Returns when the day or minute begins, or for the `last` one of a range, when it is over. Milliseconds
 * since 1970; undefined for anything else.
 */
export function parseMoment(text: string, edge: 'first' | 'last'): number | undefined {
  const [, day, minute] = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}))?$/.exec(text) ?? [];
  const written = `${day}T${minute ?? '00:00'}`;
  const time = Date.parse(`${written}Z`);
  if (Number.isNaN(time) || !new Date(time).toISOString().startsWith(written)) return undefined;
  if (edge === 'first') return time;
  return time + (minute === undefined ? DAY_MS : MINUTE_MS);
}
