/** Keeps what was computed of texts that are compared again and again within a call. */

/** Of texts whose results are kept: more than a request has, and some 10 MB with the results. */
const KEPT_CHARACTERS_MAX = 100_000;

/** Returns a function that computes the same, but a text that comes again only once. */
export function keep<Value>(compute: (text: string) => Value): (text: string) => Value {
  const kept = new Map<string, Value>();
  let characters = 0;
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    if (characters > KEPT_CHARACTERS_MAX) {
      kept.clear();
      characters = 0;
    }
    const made = compute(text);
    kept.set(text, made);
    characters += text.length;
    return made;
  };
}
