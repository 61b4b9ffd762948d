import { expect, it } from 'vitest';
import { parseExposition, type Reading } from '../../src/metrics/exposition.ts';
import { histogramQuantile } from '../../src/metrics/histogram-quantile.ts';

/** A histogram with the bounds 1, 2, 4 and infinity. */
function reading(...counts: number[]): Reading {
  const bounds = ['1', '2', '4', '+Inf'];
  return parseExposition(
    bounds.map((le, at) => `h_bucket{stage="x",le="${le}"} ${counts[at]}`).join('\n'),
  );
}

const histogram = { name: 'h', labels: { stage: 'x' } };

it.each<[what: string, share: number, counts: number[], expected: number | undefined]>([
  ['of nothing', 0.5, [0, 0, 0, 0], undefined],
  ['in the first bucket', 0.5, [10, 10, 10, 10], 0.5],
  ['at the end of a bucket', 0.5, [5, 10, 10, 10], 1],
  ['within a bucket', 0.5, [0, 10, 10, 10], 1.5],
  ['within a wider bucket', 0.95, [0, 0, 10, 10], 3.9],
  ['beyond the last finite bound', 0.95, [0, 0, 5, 10], 4],
])('a quantile %s', (_what, share, counts, expected) => {
  const found = histogramQuantile(share, histogram, reading(...counts));
  if (expected === undefined) expect(found).toBeUndefined();
  else expect(found).toBeCloseTo(expected, 10);
});

it('a quantile of what came between two readings', () => {
  const before = reading(100, 100, 100, 100);
  expect(histogramQuantile(0.5, histogram, reading(100, 110, 110, 110), before)).toBeCloseTo(1.5);
  expect(histogramQuantile(0.5, histogram, before, before)).toBeUndefined();
});
