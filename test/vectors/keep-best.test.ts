import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keepBest } from '../../src/vectors/keep-best.ts';

describe('keepBest', () => {
  it('keeps the items that a full sort puts first, ties by ascending item', () => {
    const items = fc.uniqueArray(fc.nat(1000), { maxLength: 60 });
    // Few distinct scores, so that there are many ties.
    const scored = items.chain((all) =>
      fc.tuple(...all.map((item) => fc.record({ item: fc.constant(item), score: fc.nat(5) }))),
    );
    fc.assert(
      fc.property(scored, fc.integer({ min: 1, max: 20 }), (all, most) => {
        const best = keepBest(most);
        for (const [index, { item, score }] of all.entries()) {
          best.add(item, score);
          const kept = sorted(all.slice(0, index + 1)).slice(0, most);
          const worst = kept.length < most ? Number.NEGATIVE_INFINITY : kept.at(-1)?.score;
          expect(best.worst()).toBe(worst);
          expect(ascending(best.unordered())).toEqual(ascending(kept.map((one) => one.item)));
        }
        const kept = sorted(all).slice(0, most);
        expect(best.items()).toEqual(kept);
        expect(ascending(best.unordered())).toEqual(ascending(kept.map((one) => one.item)));
      }),
      { numRuns: 300 },
    );
  });

  it('returns copies that later items do not change', () => {
    const best = keepBest(1);
    best.add(1, 0.5);
    const before = [best.items(), best.unordered()];
    best.add(2, 0.7);
    expect(before).toEqual([[{ item: 1, score: 0.5 }], [1]]);
    expect([best.items(), best.unordered()]).toEqual([[{ item: 2, score: 0.7 }], [2]]);
  });

  it('returns no items if none were added', () => {
    const best = keepBest(3);
    expect(best.items()).toEqual([]);
    expect(best.unordered()).toEqual([]);
    expect(best.worst()).toBe(Number.NEGATIVE_INFINITY);
  });
});

function ascending(items: readonly number[]): number[] {
  return [...items].sort((a, b) => a - b);
}

function sorted<Item extends { item: number; score: number }>(all: readonly Item[]): Item[] {
  return [...all].sort((a, b) => b.score - a.score || a.item - b.item);
}
