/** How much of two texts is the same. Pure. */

/**
 * Whether two texts share at least this part of the longer one's words, in the same order. By
 * Myers' comparison (1986), which ends as soon as there are too many differences: texts that have
 * nothing in common cost the square of a few dozen steps.
 */
export function shareWordsInOrder(
  one: readonly string[],
  other: readonly string[],
  share: number,
): boolean {
  const [length, otherLength] = [one.length, other.length];
  const sharedMin = Math.ceil(share * Math.max(length, otherLength));
  /** Words that one of them may have alone. */
  const differencesMax = length + otherLength - 2 * sharedMin;
  if (Math.min(length, otherLength) < sharedMin) return false;
  // How far each diagonal of the table of both texts has been followed.
  const reached = new Int32Array(2 * differencesMax + 3);
  const middle = differencesMax + 1;
  for (let differences = 0; differences <= differencesMax; differences++) {
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      const below = reached[middle + diagonal - 1] as number;
      const above = reached[middle + diagonal + 1] as number;
      const isDown = diagonal === -differences || (diagonal !== differences && below < above);
      let at = isDown ? above : below + 1;
      while (at < length && at - diagonal < otherLength && one[at] === other[at - diagonal]) at++;
      reached[middle + diagonal] = at;
      if (at >= length && at - diagonal >= otherLength) return true;
    }
  }
  return false;
}
