/** Keeps what was read of the newest state of an index. Pure. */

/**
 * Returns a function that returns the values of a state. Views may see an older state while a newer one
 * is cached; they get values of their own.
 */
export function createStateCache<Values>(make: () => Values): (revision: number) => Values {
  let newest: { revision: number; values: Values } | undefined;
  return (revision) => {
    if (newest !== undefined && newest.revision === revision) return newest.values;
    const values = make();
    if (newest === undefined || newest.revision < revision) newest = { revision, values };
    return values;
  };
}
