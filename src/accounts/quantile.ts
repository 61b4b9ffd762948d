/** Quantiles of histograms. Pure. */

/** The values up to a bound, those up to smaller bounds included. */
export interface CumulativeBucket {
  /** Infinity for the last bucket. */
  bound: number;
  count: number;
}

/**
 * Estimates a quantile from buckets by ascending bound. Returns undefined without values. Interpolates
 * within a bucket as Prometheus' `histogram_quantile` does, and returns the bound of the last finite
 * bucket for values beyond it.
 */
export function quantileOf(
  share: number,
  buckets: readonly CumulativeBucket[],
): number | undefined {
  const total = buckets.at(-1)?.count ?? 0;
  if (total <= 0) return undefined;
  const rank = share * total;
  const at = buckets.findIndex(({ count }) => count >= rank);
  const { bound, count } = buckets[at] ?? { bound: Infinity, count: total };
  const { bound: lower = 0, count: below = 0 } = buckets[at - 1] ?? {};
  if (bound === Infinity) return lower;
  return count === below ? bound : lower + ((bound - lower) * (rank - below)) / (count - below);
}
