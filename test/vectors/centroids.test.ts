import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Embedding } from '../../src/types.ts';
import { type Centroid, type Centroids, createCentroids } from '../../src/vectors/centroids.ts';
import { dotProductsOf } from '../../src/vectors/dot-products.ts';
import { clusteredVectors, dot, near, unitVector, vectorSource } from '../support/vectors.ts';

const DIMENSIONS = 17;
/** Tolerance, because the query and the centroids are rounded. */
const TOLERANCE = 0.02;

const LIST = fc.nat(30);
const GROUPS = 3;
const VECTOR = unitVector(DIMENSIONS);
const CENTROID: fc.Arbitrary<Centroid> = fc.record({
  list: LIST,
  group: fc.nat(GROUPS - 1),
  vector: VECTOR,
});
const CHANGE = fc.oneof(
  { weight: 3, arbitrary: fc.record({ set: CENTROID }) },
  { weight: 2, arbitrary: fc.record({ delete: LIST }) },
  { weight: 1, arbitrary: fc.record({ setGroup: fc.nat(GROUPS - 1), vector: VECTOR }) },
);

describe('createCentroids', () => {
  it('agrees with a plain map after any changes and sorts by cosine', () => {
    const initial = fc.uniqueArray(CENTROID, { selector: ({ list }) => list, maxLength: 5 });
    const changes = fc.array(CHANGE, { maxLength: 60 });
    fc.assert(
      fc.property(initial, changes, VECTOR, fc.integer({ min: 1, max: 12 }), (...any) => {
        const [centroids, model] = changed(any[0], any[1]);
        const [query, most] = [any[2], any[3]];
        for (let group = 0; group < GROUPS; group++) {
          const lists = [...model].filter(([, centroid]) => centroid.group === group);
          expect(new Set(centroids.listsIn(group))).toEqual(new Set(lists.map(([list]) => list)));
        }
        for (const [list, { group }] of model) expect(centroids.groupOf(list)).toBe(group);
        const found = [...centroids.compare(dotProductsOf(query)).inOrder()].slice(0, most);
        expect(found).toHaveLength(Math.min(most, model.size));
        expect(centroids.closest(dotProductsOf(query))).toBe(found[0]?.list);
        for (const { list, cosine } of found) {
          expect(Math.abs(cosine - dot(model.get(list)?.vector ?? [], query))).toBeLessThan(
            TOLERANCE,
          );
        }
        const cosines = found.map(({ cosine }) => cosine);
        expect(cosines).toEqual([...cosines].sort((a, b) => b - a));
        const kept = new Set(found.map(({ list }) => list));
        expect(kept.size).toBe(found.length);
        for (const [list, { vector }] of model) {
          if (kept.has(list)) continue;
          expect(dot(vector, query)).toBeLessThan((cosines.at(-1) ?? 0) + TOLERANCE);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('yields every list once and knows every cosine, however few are compared at a time', () => {
    const initial = fc.uniqueArray(CENTROID, { selector: ({ list }) => list, maxLength: 20 });
    fc.assert(
      fc.property(initial, VECTOR, fc.integer({ min: 1, max: 8 }), (lists, query, comparedMax) => {
        const centroids = createCentroids({ groups: groupsFor(query), lists }, few(comparedMax));
        const compared = centroids.compare(dotProductsOf(query));
        const before = lists.map(({ list }) => compared.cosineOf(list));
        const found = [...compared.inOrder()];
        expect(found.map(({ list }) => list).sort()).toEqual(lists.map(({ list }) => list).sort());
        for (const { list, cosine } of found) expect(compared.cosineOf(list)).toBe(cosine);
        expect(lists.map(({ list }) => compared.cosineOf(list))).toEqual(before);
        for (const [at, { vector }] of lists.entries()) {
          expect(Math.abs((before[at] ?? 9) - dot(vector, query))).toBeLessThan(TOLERANCE);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('finds nearly all of the nearest lists in the nearest groups', () => {
    const dimensions = 48;
    const groups = clusteredVectors(40, { seed: 1, dimensions, clusters: 40 });
    const draw = vectorSource(2, dimensions);
    const lists = Array.from({ length: 4000 }, (_, list) => {
      const vector = near(groups[list % 40] as Embedding, draw());
      return { list, group: list % 40, vector };
    });
    const all = {
      groups: groups.map((vector, group) => ({ group, vector })),
      lists,
    };
    const flat = createCentroids(all, { dimensions, comparedMax: 4000 });
    const grouped = createCentroids(all, { dimensions, comparedMax: 800 });
    let hits = 0;
    for (let at = 0; at < 4000; at += 200) {
      const query = dotProductsOf(near((lists[at] as Centroid).vector, draw()));
      const nearest = nearestOf(flat, query, 20);
      const found = new Set(nearestOf(grouped, query, 20));
      hits += nearest.filter((list) => found.has(list)).length;
    }
    expect(hits / (20 * 20)).toBeGreaterThan(0.9);
  });

  it('ignores the deletion of a list that is not there', () => {
    const vector = Float32Array.of(1, 0);
    const centroids = inOneGroup([{ list: 5, vector }]);
    centroids.delete(4);
    expect(centroids.closest(dotProductsOf(vector))).toBe(5);
  });

  it('refuses a list of a missing group', () => {
    const vector = Float32Array.of(1, 0);
    const centroids = inOneGroup([]);
    expect(() => centroids.set({ list: 1, group: 7, vector })).toThrow('group 7, which is missing');
  });

  it('orders centroids of the same direction by list number', () => {
    const vector = Float32Array.of(0.6, 0.8);
    const centroids = inOneGroup([9, 2, 5].map((list) => ({ list, vector })));
    const query = dotProductsOf(vector);
    expect(centroids.closest(query)).toBe(2);
    const found = [...centroids.compare(query).inOrder()];
    expect(found.map(({ list }) => list)).toEqual([2, 5, 9]);
  });

  it('finds the nearest group', () => {
    const vectors = [Float32Array.of(1, 0), Float32Array.of(0, 1)] as const;
    const groups = vectors.map((vector, i) => ({ group: i + 4, vector }));
    const centroids = createCentroids({ groups, lists: [] }, { dimensions: 2, comparedMax: 9 });
    expect(centroids.closestGroup(dotProductsOf(vectors[1]))).toBe(5);
    centroids.deleteGroup(5);
    expect(centroids.closestGroup(dotProductsOf(vectors[1]))).toBe(4);
  });

  it('keeps the cosines of a comparison valid after the next comparison', () => {
    const vectors = [Float32Array.of(1, 0), Float32Array.of(0, 1)] as const;
    const centroids = inOneGroup(vectors.map((vector, i) => ({ list: i + 1, vector })));
    const query = dotProductsOf(vectors[0]);
    const compared = centroids.compare(query);
    const others = inOneGroup([{ list: 9, vector: vectors[1] }]);
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
    const none = createCentroids({ groups: [], lists: [] }, { dimensions: 2, comparedMax: 1 });
    expect(none.compare(query).cosineOf(1)).toBeUndefined();
    expect(none.closest(query)).toBeUndefined();
    expect(none.closestGroup(query)).toBeUndefined();
    expect([...none.compare(query).inOrder()]).toEqual([]);
  });
});

type Change = { set: Centroid } | { delete: number } | { setGroup: number; vector: Embedding };

function few(comparedMax: number) {
  return { dimensions: DIMENSIONS, comparedMax };
}

function groupsFor(vector: Embedding) {
  return Array.from({ length: GROUPS }, (_, group) => ({
    group,
    vector: vector.map((component, i) => (i === group ? component + 0.1 : component)),
  }));
}

function inOneGroup(lists: readonly { list: number; vector: Embedding }[]): Centroids {
  return createCentroids(
    {
      groups: [{ group: 1, vector: Float32Array.of(1, 0) }],
      lists: lists.map((one) => ({ ...one, group: 1 })),
    },
    { dimensions: 2, comparedMax: 100 },
  );
}

function nearestOf(centroids: Centroids, query: ReturnType<typeof dotProductsOf>, count: number) {
  const found: number[] = [];
  for (const { list } of centroids.compare(query).inOrder()) {
    found.push(list);
    if (found.length === count) break;
  }
  return found;
}

function changed(initial: readonly Centroid[], changes: readonly Change[]) {
  const groups = groupsFor(new Float32Array(DIMENSIONS).fill(1));
  const centroids = createCentroids({ groups, lists: initial }, few(100));
  const model = new Map(initial.map((centroid) => [centroid.list, centroid]));
  for (const change of changes) {
    if ('set' in change) {
      centroids.set(change.set);
      model.set(change.set.list, change.set);
    } else if ('setGroup' in change) {
      centroids.setGroup({ group: change.setGroup, vector: change.vector });
    } else {
      centroids.delete(change.delete);
      model.delete(change.delete);
    }
  }
  return [centroids, model] as const;
}
