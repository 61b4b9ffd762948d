/** Quantiles of a Prometheus histogram. */
import type { Labels, Reading } from './exposition.ts';

/**
 * Estimates a quantile of the values that a histogram counted between two readings, or since its
 * start. Returns undefined if it counted none. Interpolates within a bucket as Prometheus'
 * `histogram_quantile` does, and returns the bound of the last finite bucket for values beyond it.
 */
export function histogramQuantile(
  share: number,
  { name, labels = {} }: { name: string; labels?: Labels },
  now: Reading,
  before?: Reading,
): number | undefined {
  const earlier = (le: string): number => before?.sum(`${name}_bucket`, { ...labels, le: le }) ?? 0;
  const buckets = now
    .all(`${name}_bucket`, labels)
    .map(({ labels: { le = '' }, value }) => ({
      bound: le === '+Inf' ? Infinity : Number(le),
      count: value - earlier(le),
    }))
    .sort((a, b) => a.bound - b.bound);
  const total = buckets.at(-1)?.count ?? 0;
  if (total <= 0) return undefined;
  const rank = share * total;
  const at = buckets.findIndex(({ count }) => count >= rank);
  const { bound, count } = buckets[at] ?? { bound: Infinity, count: total };
  const { bound: lower = 0, count: below = 0 } = buckets[at - 1] ?? {};
  if (bound === Infinity) return lower;
  return count === below ? bound : lower + ((bound - lower) * (rank - below)) / (count - below);
}
