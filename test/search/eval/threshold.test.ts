import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { separateDomains, thresholdInterval } from '../../../src/search/eval/threshold.ts';

describe('thresholdInterval', () => {
  it('is narrow for many questions, and holds the best threshold', () => {
    const spread = (from: number, count: number): number[] =>
      Array.from({ length: count }, (_, n) => from + (0.4 * n) / count);
    const widths = [10, 300].map((count) => {
      const [near, far] = [spread(0.4, count), spread(0.1, count)];
      const { low, high } = thresholdInterval(near, far);
      const { threshold } = separateDomains(near, far).best;
      expect(threshold).toBeGreaterThanOrEqual(low);
      expect(threshold).toBeLessThanOrEqual(high);
      return high - low;
    });
    expect(widths[1]).toBeLessThan((widths[0] ?? 0) / 1.5);
    expect(thresholdInterval([0.8], [0.2])).toEqual({ low: 0.5, high: 0.5 });
  });
});

describe('separateDomains', () => {
  it('describes the distribution of the confidences', () => {
    const { inDomain } = separateDomains([0, 0.25, 0.5, 0.75, 1], [0]);
    expect(inDomain).toMatchObject({ questions: 5, mean: 0.5 });
    expect(inDomain.percentiles).toMatchObject({ 25: 0.25, 50: 0.5, 75: 0.75 });
    expect(inDomain.percentiles['5']).toBeCloseTo(0.05);
  });

  it.each<[what: string, inDomain: number[], outOfDomain: number[], threshold: number]>([
    ['in the middle of a gap', [0.6, 0.8], [0.2, 0.4], 0.5],
    ['in the widest of the gaps with the fewest errors', [0.5, 0.9], [0.3, 0.6], 0.75],
  ])('puts the threshold %s', (_, inDomain, outOfDomain, threshold) => {
    const { best } = separateDomains(inDomain, outOfDomain);
    expect(best.threshold).toBeCloseTo(threshold);
  });

  it('errs on all questions of one kind if the confidences are reversed', () => {
    const { best } = separateDomains([0.2], [0.8]);
    expect(best.inDomainBelow + best.outOfDomainAbove).toBe(1);
  });

  it('counts the errors of both kinds, with the threshold itself above', () => {
    const { others } = separateDomains([0.4, 0.5, 0.6, 0.7], [0.3, 0.5]);
    const half = others.find(({ threshold }) => threshold === 0.5);
    expect(half).toEqual({ threshold: 0.5, inDomainBelow: 0.25, outOfDomainAbove: 0.5 });
  });

  it.each([
    [[0.6, 0.7], [0.1, 0.2], 1],
    [[0.1], [0.9], 0],
    [[0.5], [0.5], 0.5],
    [[0.4, 0.8], [0.6], 0.5],
  ])('measures the area under the curve of %j and %j', (inDomain, outOfDomain, area) => {
    expect(separateDomains(inDomain, outOfDomain).areaUnderCurve).toBe(area);
  });

  it('finds the threshold with the fewest errors', () => {
    const confidences = fc.array(fc.integer({ min: 0, max: 1000 }), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(confidences, confidences, (a, b) => {
        const { best, others } = separateDomains(
          a.map((value) => value / 1000),
          b.map((value) => value / 1000),
        );
        const sum = best.inDomainBelow + best.outOfDomainAbove;
        for (const { inDomainBelow, outOfDomainAbove } of others) {
          expect(sum).toBeLessThanOrEqual(inDomainBelow + outOfDomainAbove + 1e-9);
        }
      }),
    );
  });
});
