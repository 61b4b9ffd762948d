import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Centre, createCentres } from '../../src/vectors/centres.ts';
import { dotProductsOf } from '../../src/vectors/dot-products.ts';
import { dot, unitVector } from '../support/vectors.ts';

const DIMENSIONS = 17;
/** Query and centres are rounded. */
const TOLERANCE = 0.02;

const CELL = fc.nat(30);
const VECTOR = unitVector(DIMENSIONS);
const CENTRE: fc.Arbitrary<Centre> = fc.record({ cell: CELL, vector: VECTOR });
const CHANGE = fc.oneof(
  { weight: 3, arbitrary: fc.record({ set: CENTRE }) },
  { weight: 2, arbitrary: fc.record({ delete: CELL }) },
);

describe('centres', () => {
  it('are those of a plain map after any changes, and the nearest first', () => {
    const given = fc.uniqueArray(CENTRE, { selector: ({ cell }) => cell, maxLength: 5 });
    const changes = fc.array(CHANGE, { maxLength: 60 });
    fc.assert(
      fc.property(given, changes, VECTOR, fc.integer({ min: 1, max: 12 }), (...any) => {
        const [centres, model] = changed(any[0], any[1]);
        const [query, most] = [any[2], any[3]];
        for (const [cell, vector] of model) expect(centres.vectorOf(cell)).toEqual(vector);
        const found = [...centres.compare(dotProductsOf(query)).inOrder()].slice(0, most);
        expect(found).toHaveLength(Math.min(most, model.size));
        expect(centres.closest(dotProductsOf(query))).toBe(found[0]?.cell);
        for (const { cell, cosine } of found) {
          expect(Math.abs(cosine - dot(model.get(cell) ?? [], query))).toBeLessThan(TOLERANCE);
        }
        const cosines = found.map(({ cosine }) => cosine);
        expect(cosines).toEqual([...cosines].sort((a, b) => b - a));
        const kept = new Set(found.map(({ cell }) => cell));
        expect(kept.size).toBe(found.length);
        for (const [cell, vector] of model) {
          if (kept.has(cell)) continue;
          expect(dot(vector, query)).toBeLessThan((cosines.at(-1) ?? 0) + TOLERANCE);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('stay as they are where one is deleted that is not there', () => {
    const vector = Float32Array.of(1, 0);
    const centres = createCentres([{ cell: 5, vector }], 2);
    centres.delete(4);
    expect(centres.closest(dotProductsOf(vector))).toBe(5);
  });

  it('of the same direction come by cell', () => {
    const vector = Float32Array.of(0.6, 0.8);
    const cells = [9, 2, 5].map((cell) => ({ cell, vector }));
    const centres = createCentres(cells, 2);
    const query = dotProductsOf(vector);
    expect(centres.closest(query)).toBe(2);
    const found = [...centres.compare(query).inOrder()];
    expect(found.map(({ cell }) => cell)).toEqual([2, 5, 9]);
  });

  it('of a comparison stay what they were, whatever is compared next', () => {
    const vectors = [Float32Array.of(1, 0), Float32Array.of(0, 1)] as const;
    const centres = createCentres(
      vectors.map((vector, i) => ({ cell: i + 1, vector })),
      2,
    );
    const query = dotProductsOf(vectors[0]);
    const compared = centres.compare(query);
    const others = createCentres([{ cell: 9, vector: vectors[1] }], 2);
    expect(others.compare(query).cosineOf(9)).toBeCloseTo(0);
    expect([...centres.compare(dotProductsOf(vectors[1])).inOrder()][0]?.cell).toBe(2);
    expect([...compared.inOrder()]).toEqual([
      { cell: 1, cosine: expect.closeTo(1) },
      { cell: 2, cosine: expect.closeTo(0) },
    ]);
    expect([1, 2].map(compared.cosineOf)).toEqual([expect.closeTo(1), expect.closeTo(0)]);
    expect(compared.cosineOf(3)).toBeUndefined();
  });

  it('are none where none were given', () => {
    const query = dotProductsOf(Float32Array.of(1, 0));
    expect(createCentres([], 2).compare(query).cosineOf(1)).toBeUndefined();
    expect(createCentres([], 2).closest(query)).toBeUndefined();
    expect([...createCentres([], 2).compare(query).inOrder()]).toEqual([]);
  });
});

type Change = { set: Centre } | { delete: number };

function changed(given: readonly Centre[], changes: readonly Change[]) {
  const centres = createCentres(given, DIMENSIONS);
  const model = new Map(given.map(({ cell, vector }) => [cell, vector]));
  for (const change of changes) {
    if ('set' in change) {
      centres.set(change.set);
      model.set(change.set.cell, change.set.vector);
    } else {
      centres.delete(change.delete);
      model.delete(change.delete);
    }
  }
  return [centres, model] as const;
}
