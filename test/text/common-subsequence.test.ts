import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { haveCommonSubsequence } from '../../src/text/common-subsequence.ts';

describe('haveCommonSubsequence', () => {
  it.each([
    [true, 'the same text', 'a b c d e f g h i j', 'a b c d e f g h i j'],
    [true, 'one other word in ten', 'a b c d e f g h i j', 'a b c d x f g h i j'],
    [true, 'one word less', 'a b c d e f g h i j', 'b c d e f g h i j'],
    [false, 'two other words in ten', 'a b c d e f g h i j', 'a b c x d y f g h i'],
    [false, 'another order', 'a b c d e f g h i j', 'j i h g f e d c b a'],
    [false, 'the start of a longer one', 'a b c d e', 'a b c d e f g h i j'],
  ])('returns %s for %s', (expected, _, one, other) => {
    expect(haveCommonSubsequence(one.split(' '), other.split(' '), 0.9)).toBe(expected);
  });

  it('agrees with the longest common subsequence', () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 14 });
    fc.assert(
      fc.property(words, words, fc.constantFrom(0.5, 0.75, 0.9, 1), (one, other, share) => {
        const most = Math.max(one.length, other.length);
        const isShared = longestShared(one, other) >= Math.ceil(share * most);
        expect(haveCommonSubsequence(one, other, share)).toBe(isShared);
        expect(haveCommonSubsequence(other, one, share)).toBe(isShared);
      }),
      { numRuns: 500 },
    );
  });
});

/** The length of the longest common subsequence, by dynamic programming. */
function longestShared(one: readonly string[], other: readonly string[]): number {
  let row = other.map(() => 0);
  for (const word of one) {
    const before = row;
    row = [];
    for (const [at, otherWord] of other.entries()) {
      const isSame = word === otherWord;
      const [left = 0, above = 0, both = 0] = [row[at - 1], before[at], before[at - 1]];
      row.push(isSame ? both + 1 : Math.max(left, above));
    }
  }
  return row.at(-1) ?? 0;
}
