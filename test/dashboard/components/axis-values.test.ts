import { describe, expect, it } from 'vitest';
import { axisValues } from '../../../src/dashboard/components/axis-values.ts';

describe('the labels of an axis', () => {
  it.each([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [4, [0, 1, 2, 3, 4]],
    [5, [0, 2, 4, 6]],
    [88, [0, 50, 100]],
    [1_000, [0, 500, 1_000]],
    [1_234_567, [0, 500_000, 1_000_000, 1_500_000]],
  ])('up to %d are %j', (largest, expected) => {
    expect(axisValues(largest, 4)).toEqual(expected);
  });
});
