/** Memoizes functions: of texts that come up many times within a call, and of nothing. */

/** Texts whose results are cached: more than a request has. With their results they take some 10 MB. */
const CACHED_CHARACTERS_MAX = 100_000;

/** Returns the same function with a cache, which is cleared when it is full. */
export function memoize<Value>(compute: (text: string) => Value): (text: string) => Value {
  const cache = new Map<string, Value>();
  let characters = 0;
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    if (characters > CACHED_CHARACTERS_MAX) {
      cache.clear();
      characters = 0;
    }
    const computed = compute(text);
    cache.set(text, computed);
    characters += text.length;
    return computed;
  };
}

/** Returns the same function, which computes at its first call only. */
export function once<Value>(compute: () => Value): () => Value {
  let computed: { value: Value } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}
