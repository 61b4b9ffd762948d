/** Compares two texts by their longest common subsequence of words. Pure. */

/**
 * Whether the longest common subsequence of two texts has at least `share` of the longer one's words.
 * Uses Myers' greedy difference algorithm ("An O(ND) Difference Algorithm and Its Variations", 1986)
 * and stops at the first difference too many, so texts with nothing in common are cheap.
 */
export function haveCommonSubsequence(
  one: readonly string[],
  other: readonly string[],
  share: number,
): boolean {
  const [length, otherLength] = [one.length, other.length];
  const sharedMin = Math.ceil(share * Math.max(length, otherLength));
  // Words that only one of the texts may have.
  const differencesMax = length + otherLength - 2 * sharedMin;
  if (Math.min(length, otherLength) < sharedMin) return false;
  // The furthest position in `one` on each diagonal of the edit graph.
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
