import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestFirst } from '../../src/vectors/best-first.ts';

describe('bestFirst', () => {
  // Few scores, so that many are the same.
  const scored = fc.uniqueArray(fc.record({ item: fc.nat(99), score: fc.integer({ max: 6 }) }), {
    selector: ({ item }) => item,
    maxLength: 60,
  });

  it('gives what sorting gives, and stops where nobody asks for more', () => {
    fc.assert(
      fc.property(scored, fc.nat(60), (all, most) => {
        const given = bestFirst(
          all.map(({ item }) => item),
          all.map(({ score }) => score),
        );
        const expected = [...all].sort((a, b) => b.score - a.score || a.item - b.item);
        for (const one of expected.slice(0, most)) expect(given.next().value).toEqual(one);
        expect([...given]).toEqual(expected.slice(most));
      }),
    );
  });
});
