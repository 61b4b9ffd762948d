import { describe, expect, it } from 'vitest';
import { validateByHalves } from '../../../scripts/cross-validate/held-out.ts';

describe('validateByHalves', () => {
  it('measures each half with the variant that is best on the other', () => {
    // Variant 0 is better on even queries, variant 1 on odd ones.
    const scores = [
      [0.9, 0.1, 0.7, 0.3],
      [0.5, 0.4, 0.3, 0.8],
    ];
    const { chosen, means } = validateByHalves([scores]);
    expect(chosen).toEqual([0, 1]);
    expect(means).toEqual([expect.closeTo((0.5 + 0.1 + 0.3 + 0.3) / 4, 12)]);
  });

  it('has the mean of a variant that is best everywhere', () => {
    const scores = [
      [0.1, 0.1, 0.1],
      [0.2, 0.4, 0.6],
    ];
    const { chosen, means } = validateByHalves([scores]);
    expect(chosen).toEqual([1, 1]);
    expect(means[0]).toBeCloseTo(0.4, 12);
  });

  it('gives each collection the same weight in the choice, whatever its size', () => {
    const large = [Array(100).fill(0.5), Array(100).fill(0.4)];
    const small = [
      [0.1, 0.1],
      [0.3, 0.3],
    ];
    expect(validateByHalves([large, small])).toEqual({
      chosen: [1, 1],
      means: [expect.closeTo(0.4, 12), expect.closeTo(0.3, 12)],
    });
  });

  it('chooses the first of equals', () => {
    const scores = [
      [0.5, 0.5],
      [0.5, 0.5],
    ];
    expect(validateByHalves([scores]).chosen).toEqual([0, 0]);
  });
});
