import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findItem, mergeSums, type Sums } from '../../src/vectors/merge-sums.ts';

/** Few distinct items, so that most are in several lists; values whose sum depends on the order. */
const anyItem = fc.oneof(fc.nat(30), fc.constantFrom(2 ** 31, 2 ** 32 - 1));
const anyValue = fc.constantFrom(0.1, 0.2, 0.3, 1, 1e-9, 1e16);
const anyList = fc
  .uniqueArray(fc.tuple(anyItem, anyValue), { selector: ([item]) => item, maxLength: 20 })
  .map((pairs) => pairs.sort(([a], [b]) => a - b));

describe('mergeSums', () => {
  it('adds up values by item in the order of the lists, as a map does', () => {
    fc.assert(
      fc.property(fc.array(anyList, { maxLength: 6 }), (lists) => {
        const expected = new Map<number, number>();
        for (const [item, value] of lists.flat()) {
          expected.set(item, (expected.get(item) ?? 0) + value);
        }
        const { items, values } = mergeSums(lists.map(sumsOf));
        expect(Array.from(items)).toEqual([...expected.keys()].sort((a, b) => a - b));
        // Equal to the last bit: answers must not depend on the way of adding up.
        expect(Array.from(values)).toEqual(Array.from(items, (item) => expected.get(item)));
      }),
      { numRuns: 500 },
    );
  });

  it('does not change the lists', () => {
    const lists = [sumsOf([[1, 2]]), sumsOf([[1, 3]]), sumsOf([[2, 5]])];
    mergeSums(lists);
    expect(lists).toEqual([sumsOf([[1, 2]]), sumsOf([[1, 3]]), sumsOf([[2, 5]])]);
  });

  it.each<[what: string, lists: Sums[]]>([
    ['no list', []],
    ['an empty list', [sumsOf([])]],
    ['several empty lists', [sumsOf([]), sumsOf([]), sumsOf([])]],
  ])('returns nothing for %s', (_, lists) => {
    const { items, values } = mergeSums(lists);
    expect([items.length, values.length]).toEqual([0, 0]);
  });
});

describe('findItem', () => {
  it('finds every item and returns -1 for all others', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyItem, { maxLength: 40 }), anyItem, (items, wanted) => {
        const ascending = Uint32Array.from(items).sort();
        expect(findItem(ascending, wanted)).toBe(ascending.indexOf(wanted));
        for (const [index, item] of ascending.entries()) {
          expect(findItem(ascending, item)).toBe(index);
        }
      }),
      { numRuns: 300 },
    );
  });
});

function sumsOf(pairs: readonly (readonly [number, number])[]): Sums {
  return {
    items: Uint32Array.from(pairs, ([item]) => item),
    values: Float64Array.from(pairs, ([, value]) => value),
  };
}
