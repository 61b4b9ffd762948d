/** Quantiles of a Prometheus histogram. */
import { quantileOf } from '../accounts/quantile.ts';
import type { Labels, Reading } from './exposition.ts';

/**
 * Estimates a quantile of the values that a histogram counted between two readings, or since its
 * start. Returns undefined if it counted none.
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
  return quantileOf(share, buckets);
}
