import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { separateDomains } from '../../src/eval/threshold.ts';

describe('separate', () => {
  it('describes how the confidences lie', () => {
    const { inDomain: answered } = separateDomains([0, 0.25, 0.5, 0.75, 1], [0]);
    expect(answered).toMatchObject({ questions: 5, mean: 0.5 });
    expect(answered.percentiles).toMatchObject({ 25: 0.25, 50: 0.5, 75: 0.75 });
    expect(answered.percentiles['5']).toBeCloseTo(0.05);
  });

  it.each<[what: string, answered: number[], foreign: number[], threshold: number]>([
    ['in the middle of a gap', [0.6, 0.8], [0.2, 0.4], 0.5],
    ['in the widest of gaps that err as often', [0.5, 0.9], [0.3, 0.6], 0.75],
  ])('puts the threshold %s', (_, answered, foreign, threshold) => {
    const { best } = separateDomains(answered, foreign);
    expect(best.threshold).toBeCloseTo(threshold);
  });

  it('errs on one side of what lies the wrong way round', () => {
    const { best } = separateDomains([0.2], [0.8]);
    expect(best.inDomainBelow + best.outOfDomainAbove).toBe(1);
  });

  it('counts the errors on either side, the threshold itself as close enough', () => {
    const { others } = separateDomains([0.4, 0.5, 0.6, 0.7], [0.3, 0.5]);
    const half = others.find(({ threshold }) => threshold === 0.5);
    expect(half).toEqual({ threshold: 0.5, answeredAsked: 0.25, foreignKept: 0.5 });
  });

  it.each([
    [[0.6, 0.7], [0.1, 0.2], 1],
    [[0.1], [0.9], 0],
    [[0.5], [0.5], 0.5],
    [[0.4, 0.8], [0.6], 0.5],
  ])('measures the area under the curve of %j and %j', (answered, foreign, area) => {
    expect(separateDomains(answered, foreign).areaUnderCurve).toBe(area);
  });

  it('finds no threshold with fewer errors than its best', () => {
    const confidences = fc.array(fc.integer({ min: 0, max: 1000 }), {
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(confidences, confidences, (a, f) => {
        const { best, others } = separateDomains(
          a.map((value) => value / 1000),
          f.map((value) => value / 1000),
        );
        const sum = best.inDomainBelow + best.outOfDomainAbove;
        for (const { inDomainBelow: answeredAsked, outOfDomainAbove: foreignKept } of others) {
          expect(sum).toBeLessThanOrEqual(answeredAsked + foreignKept + 1e-9);
        }
      }),
    );
  });
});
