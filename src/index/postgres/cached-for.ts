/** Caches what was read for a while. Pure but for its clock. */

/**
 * Returns a function that reads at most once in `keptMs`. Calls that come while it reads share the
 * reading, and a failure is not cached.
 */
export function cachedFor<Value>(
  keptMs: number,
  read: () => Promise<Value>,
  now: () => number = () => performance.now(),
): () => Promise<Value> {
  let reading: Promise<Value> | undefined;
  let until = Number.POSITIVE_INFINITY;
  return () => {
    if (reading !== undefined && now() < until) return reading;
    until = Number.POSITIVE_INFINITY;
    const started = read();
    reading = started;
    started.then(
      () => {
        until = now() + keptMs;
      },
      () => {
        reading = undefined;
      },
    );
    return started;
  };
}
