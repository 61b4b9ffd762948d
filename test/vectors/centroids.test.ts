import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Centroid, createCentroids } from '../../src/vectors/centroids.ts';
import { dotProductsOf } from '../../src/vectors/dot-products.ts';
import { dot, unitVector } from '../support/vectors.ts';

const DIMENSIONS = 17;
/** Tolerance, because the query and the centroids are rounded. */
const TOLERANCE = 0.02;

const LIST = fc.nat(30);
const VECTOR = unitVector(DIMENSIONS);
const CENTROID: fc.Arbitrary<Centroid> = fc.record({ list: LIST, vector: VECTOR });
const CHANGE = fc.oneof(
  { weight: 3, arbitrary: fc.record({ set: CENTROID }) },
  { weight: 2, arbitrary: fc.record({ delete: LIST }) },
);

describe('createCentroids', () => {
  it('agrees with a plain map after any changes and sorts by cosine', () => {
    const given = fc.uniqueArray(CENTROID, { selector: ({ list }) => list, maxLength: 5 });
    const changes = fc.array(CHANGE, { maxLength: 60 });
    fc.assert(
      fc.property(given, changes, VECTOR, fc.integer({ min: 1, max: 12 }), (...any) => {
        const [centroids, model] = changed(any[0], any[1]);
        const [query, most] = [any[2], any[3]];
        for (const [list, vector] of model) expect(centroids.vectorOf(list)).toEqual(vector);
        const found = [...centroids.compare(dotProductsOf(query)).inOrder()].slice(0, most);
        expect(found).toHaveLength(Math.min(most, model.size));
        expect(centroids.closest(dotProductsOf(query))).toBe(found[0]?.list);
        for (const { list, cosine } of found) {
          expect(Math.abs(cosine - dot(model.get(list) ?? [], query))).toBeLessThan(TOLERANCE);
        }
        const cosines = found.map(({ cosine }) => cosine);
        expect(cosines).toEqual([...cosines].sort((a, b) => b - a));
        const kept = new Set(found.map(({ list }) => list));
        expect(kept.size).toBe(found.length);
        for (const [list, vector] of model) {
          if (kept.has(list)) continue;
          expect(dot(vector, query)).toBeLessThan((cosines.at(-1) ?? 0) + TOLERANCE);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('ignores the deletion of a list that is not there', () => {
    const vector = Float32Array.of(1, 0);
    const centroids = createCentroids([{ list: 5, vector }], 2);
    centroids.delete(4);
    expect(centroids.closest(dotProductsOf(vector))).toBe(5);
  });

  it('orders centroids of the same direction by list number', () => {
    const vector = Float32Array.of(0.6, 0.8);
    const lists = [9, 2, 5].map((list) => ({ list, vector }));
    const centroids = createCentroids(lists, 2);
    const query = dotProductsOf(vector);
    expect(centroids.closest(query)).toBe(2);
    const found = [...centroids.compare(query).inOrder()];
    expect(found.map(({ list }) => list)).toEqual([2, 5, 9]);
  });

  it('keeps the cosines of a comparison valid after the next comparison', () => {
    const vectors = [Float32Array.of(1, 0), Float32Array.of(0, 1)] as const;
    const centroids = createCentroids(
      vectors.map((vector, i) => ({ list: i + 1, vector })),
      2,
    );
    const query = dotProductsOf(vectors[0]);
    const compared = centroids.compare(query);
    const others = createCentroids([{ list: 9, vector: vectors[1] }], 2);
    expect(others.compare(query).cosineOf(9)).toBeCloseTo(0);
    expect([...centroids.compare(dotProductsOf(vectors[1])).inOrder()][0]?.list).toBe(2);
    expect([...compared.inOrder()]).toEqual([
      { list: 1, cosine: expect.closeTo(1) },
      { list: 2, cosine: expect.closeTo(0) },
    ]);
    expect([1, 2].map(compared.cosineOf)).toEqual([expect.closeTo(1), expect.closeTo(0)]);
    expect(compared.cosineOf(3)).toBeUndefined();
  });

  it('finds no list if there are none', () => {
    const query = dotProductsOf(Float32Array.of(1, 0));
    expect(createCentroids([], 2).compare(query).cosineOf(1)).toBeUndefined();
    expect(createCentroids([], 2).closest(query)).toBeUndefined();
    expect([...createCentroids([], 2).compare(query).inOrder()]).toEqual([]);
  });
});

type Change = { set: Centroid } | { delete: number };

function changed(given: readonly Centroid[], changes: readonly Change[]) {
  const centroids = createCentroids(given, DIMENSIONS);
  const model = new Map(given.map(({ list, vector }) => [list, vector]));
  for (const change of changes) {
    if ('set' in change) {
      centroids.set(change.set);
      model.set(change.set.list, change.set.vector);
    } else {
      centroids.delete(change.delete);
      model.delete(change.delete);
    }
  }
  return [centroids, model] as const;
}
