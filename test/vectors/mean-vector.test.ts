import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meanVector } from '../../src/vectors/mean-vector.ts';
import { unitVector } from '../support/vectors.ts';

describe('meanVector', () => {
  it('returns the direction of the sum at unit length', () => {
    const vectors = fc.array(unitVector(17), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(vectors, (all) => {
        const sum = Array.from({ length: 17 }, (_, i) =>
          all.reduce((total, vector) => total + (vector[i] as number), 0),
        );
        const length = Math.hypot(...sum);
        fc.pre(length > 1e-3);
        for (const [i, component] of meanVector(all).entries()) {
          expect(component).toBeCloseTo((sum[i] as number) / length, 3);
        }
      }),
    );
  });

  it('returns a zero vector if the vectors cancel each other out', () => {
    const vector = Float32Array.of(0.6, -0.8);
    expect([...meanVector([vector, vector.map((c) => -c)])]).toEqual([0, 0]);
  });

  it('does not change its arguments', () => {
    const vector = Float32Array.of(3, 4);
    expect(meanVector([vector])[0]).toBeCloseTo(0.6);
    expect([...vector]).toEqual([3, 4]);
  });
});
