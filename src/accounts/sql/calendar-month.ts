/** Calendar months and days in UTC. Pure. */

/** Returns when the month of a time began. */
export function monthStart(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

/** Returns when the month after that of a time begins. */
export function nextMonthStart(time: number): number {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** Returns the month, `YYYY-MM`, by which usage is counted. */
export function periodOf(time: number): string {
  return new Date(time).toISOString().slice(0, 7);
}

/** Returns the day, `YYYY-MM-DD`, by which usage is counted. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
