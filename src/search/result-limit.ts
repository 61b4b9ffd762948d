/** How many results a request may ask for. Pure. */

/** The largest `limit` of a customer's request. */
export const CUSTOMER_RESULTS_MAX = 50;

/** Returns the nearest number of results that may be asked for, 1 to 50. 0 is for callers to refuse. */
export function clampLimit(limit: number): number {
  return Math.min(Math.max(limit, 1), CUSTOMER_RESULTS_MAX);
}
