/** A bound on work that is under way. */

/** The same work, at most so much at a time; undefined instead of any more. */
export function boundConcurrency<Args extends unknown[], Result>(
  most: number,
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> | undefined {
  let underWay = 0;
  return (...args) => {
    if (underWay >= most) return undefined;
    underWay++;
    return work(...args).finally(() => {
      underWay--;
    });
  };
}

/** The same by key: work of a key that is under way already takes up no further place. */
export function boundConcurrentKeys<Args extends unknown[], Result>(
  most: number,
  keyOf: (...args: Args) => string,
  work: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> | undefined {
  const underWay = new Map<string, number>();
  return (...args) => {
    const key = keyOf(...args);
    const before = underWay.get(key) ?? 0;
    if (before === 0 && underWay.size >= most) return undefined;
    underWay.set(key, before + 1);
    return work(...args).finally(() => {
      const left = (underWay.get(key) ?? 1) - 1;
      if (left === 0) underWay.delete(key);
      else underWay.set(key, left);
    });
  };
}
