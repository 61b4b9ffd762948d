/** The buckets in which latencies of answered calls are counted. Pure. */

/** Upper bounds of the buckets. */
export const latencyBoundsMs = [
  ...[5, 10, 15, 20, 30, 40, 60, 80, 120, 160, 240, 320, 500, 700],
  ...[1_000, 1_500, 2_000, 3_000, 5_000, 7_500, 10_000],
];
/** The bound of the bucket beyond all others. */
export const NO_BOUND_MS = 2 ** 31 - 1;

/** Returns the upper bound of the bucket of a latency. */
export function boundOf(milliseconds: number): number {
  return latencyBoundsMs.find((candidate) => milliseconds <= candidate) ?? NO_BOUND_MS;
}
