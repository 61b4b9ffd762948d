import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meanVector } from '../../src/vectors/mean-vector.ts';
import { splitInTwo } from '../../src/vectors/split-in-two.ts';
import { dot, near, unitVector, vectorSource } from '../support/vectors.ts';

describe('splitInTwo', () => {
  it('assigns each vector to one of two nonempty clusters, whose centroids are their means', () => {
    const several = fc
      .array(unitVector(17), { minLength: 1, maxLength: 10 })
      // Some vectors occur more than once.
      .chain((vectors) => fc.array(fc.constantFrom(...vectors), { minLength: 2, maxLength: 20 }));
    fc.assert(
      fc.property(several, (vectors) => {
        const groups = splitInTwo(vectors);
        const indexes = groups.flatMap((group) => group.indexes).sort((a, b) => a - b);
        expect(indexes).toEqual([...vectors.keys()]);
        for (const group of groups) {
          expect(group.indexes.length).toBeGreaterThan(0);
          const own = group.indexes.map((index) => vectors[index] as Float32Array);
          expect([...group.centroid]).toEqual([...meanVector(own)]);
        }
        expect(splitInTwo(vectors)).toEqual(groups);
      }),
    );
  });

  it('separates two clear clusters, whatever their order and sizes', () => {
    const draw = vectorSource(7, 64);
    const first = draw();
    const poles = [first, first.map((component) => -component)];
    const kinds = Array.from({ length: 40 }, (_, i) => (i % 7 === 0 ? 1 : 0));
    const vectors = kinds.map((kind) => near(poles[kind] as Float32Array, draw()));
    const [a, b] = splitInTwo(vectors);
    for (const group of [a, b]) {
      expect(new Set(group.indexes.map((index) => kinds[index])).size).toBe(1);
    }
    expect(dot(a.centroid, b.centroid)).toBeLessThan(0);
  });

  it('halves equal vectors by position', () => {
    const vectors = Array.from({ length: 9 }, () => Float32Array.of(0.6, 0.8));
    expect(splitInTwo(vectors).map(({ indexes }) => indexes.length)).toEqual([4, 5]);
  });
});
