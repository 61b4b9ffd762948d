import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestFirst } from '../../src/vectors/best-first.ts';

describe('bestFirst', () => {
  // Few distinct scores, so that there are many ties.
  const scored = fc.uniqueArray(fc.record({ item: fc.nat(99), score: fc.integer({ max: 6 }) }), {
    selector: ({ item }) => item,
    maxLength: 60,
  });

  it('yields the items in sorted order and stops when the caller does', () => {
    fc.assert(
      fc.property(scored, fc.nat(60), (all, most) => {
        const actual = bestFirst(
          all.map(({ item }) => item),
          all.map(({ score }) => score),
        );
        const expected = [...all].sort((a, b) => b.score - a.score || a.item - b.item);
        for (const one of expected.slice(0, most)) expect(actual.next().value).toEqual(one);
        expect([...actual]).toEqual(expected.slice(most));
      }),
    );
  });
});
