/** Keeps what another record of the same file may need, within limits. */

export interface StoreLimits<Value> {
  entriesMax: number;
  charactersMax: number;
  charactersOf: (value: Value) => number;
}

/** Creates a store of values by key, in the order of arrival. */
export function createBoundedStore<Value>(limits: StoreLimits<Value>) {
  const { entriesMax, charactersMax, charactersOf } = limits;
  const kept = new Map<string, { value: Value; characters: number }>();
  let characters = 0;
  let number = 0;
  const remove = (key: string): Value | undefined => {
    const one = kept.get(key);
    kept.delete(key);
    characters -= one?.characters ?? 0;
    return one?.value;
  };
  return {
    get: (key: string) => kept.get(key)?.value,
    /** Returns a new, unused key. */
    next: () => String(number++),
    /** Adds a value unless its key exists. Returns the evicted values, the oldest first. */
    add(key: string, value: Value): Value[] {
      if (kept.has(key)) return [];
      const own = charactersOf(value);
      kept.set(key, { value, characters: own });
      characters += own;
      const gone: Value[] = [];
      for (const oldest of kept.keys()) {
        if (kept.size <= entriesMax && characters <= charactersMax) break;
        const removed = remove(oldest);
        if (removed !== undefined) gone.push(removed);
      }
      return gone;
    },
    /** Removes and returns the wanted values. */
    take(isWanted: (value: Value) => boolean): Value[] {
      const wanted = [...kept].filter(([, { value }]) => isWanted(value));
      return wanted.flatMap(([key]) => remove(key) ?? []);
    },
  };
}
