/** Bounds on concurrent work. Work beyond the bound is refused, not queued. */

/** Runs `work` at most `max` times concurrently. Returns undefined beyond that. */
export function boundConcurrency<Args extends unknown[], Result>(
  max: number,
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> | undefined {
  let running = 0;
  return (...args) => {
    if (running >= max) return undefined;
    running++;
    return work(...args).finally(() => {
      running--;
    });
  };
}

/** The same bound on distinct keys: more work of a running key always gets through. */
export function boundConcurrentKeys<Args extends unknown[], Result>(
  max: number,
  keyOf: (...args: Args) => string,
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> | undefined {
  const running = new Map<string, number>();
  return (...args) => {
    const key = keyOf(...args);
    const before = running.get(key) ?? 0;
    if (before === 0 && running.size >= max) return undefined;
    running.set(key, before + 1);
    return work(...args).finally(() => {
      const left = (running.get(key) ?? 1) - 1;
      if (left === 0) running.delete(key);
      else running.set(key, left);
    });
  };
}
