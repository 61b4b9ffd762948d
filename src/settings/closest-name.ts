/** Finds the name that somebody meant who mistyped it. Pure. */

/** Typing errors in a name beyond which nothing is suggested. */
const ERRORS_MAX = 3;
/** What part of a name may be wrong at most. */
const ERROR_SHARE_MAX = 0.4;

/**
 * Returns the known name with the fewest typing errors, or undefined if none is close. Upper and
 * lower case count as the same.
 */
export function closestName(name: string, known: readonly string[]): string | undefined {
  const typed = name.toUpperCase();
  let errorsMax = Math.min(ERRORS_MAX, typed.length * ERROR_SHARE_MAX);
  let closest: string | undefined;
  for (const candidate of known) {
    if (Math.abs(candidate.length - typed.length) > errorsMax) continue;
    const errors = typingErrors(typed, candidate.toUpperCase());
    if (errors > errorsMax || (closest !== undefined && errors === errorsMax)) continue;
    [closest, errorsMax] = [candidate, errors];
  }
  return closest;
}

/** Returns `; did you mean NAME?`, or an empty text if no known name is close. */
export function suggestion(name: string, known: readonly string[]): string {
  const closest = closestName(name, known);
  return closest === undefined ? '' : `; did you mean ${closest}?`;
}

/**
 * Counts the letters that were inserted, left out, replaced, or swapped with their neighbor: the
 * optimal string alignment distance (Damerau, "A technique for computer detection and correction of
 * spelling errors", 1964).
 */
function typingErrors(typed: string, known: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: known.length + 1 }, (_, at) => at);
  for (let row = 1; row <= typed.length; row++) {
    const current = [row];
    for (let at = 1; at <= known.length; at++) {
      const isSame = typed[row - 1] === known[at - 1];
      let errors = Math.min(
        (last[at] ?? 0) + 1,
        (current[at - 1] ?? 0) + 1,
        (last[at - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwapped = typed[row - 1] === known[at - 2] && typed[row - 2] === known[at - 1];
      if (row > 1 && at > 1 && isSwapped) errors = Math.min(errors, (beforeLast[at - 2] ?? 0) + 1);
      current.push(errors);
    }
    [beforeLast, last] = [last, current];
  }
  return last[known.length] ?? 0;
}
