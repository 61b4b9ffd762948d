/** Days in UTC, as in 2024-01-31. Pure. */
import { DAY_MS } from '../../lanes/records/lane-records.ts';

/** The day of a time in milliseconds since 1970. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

export function addDays(day: string, days: number): string {
  return dayOf(Date.parse(day) + days * DAY_MS);
}
