import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clamp, fuse, type Signals } from '../../src/search/fuse.ts';

describe('fuse', () => {
  it.each<[what: string, signals: Partial<Signals>[], scores: number[]]>([
    ['nothing', [], []],
    ['full marks', [{ lexical: 3, documentCosine: 1, bestCosine: 1 }], [1]],
    ['the full text alone', [{ lexical: 0.001 }], [0.7 / 2.7]],
    ['the document alone', [{ documentCosine: 0.5 }], [0.5 / 2.7]],
    ['the best sentence alone', [{ bestCosine: 0.5 }], [0.5 / 2.7]],
    ['bm25 as a share of the best', [{ lexical: 8 }, { lexical: 2 }], [0.7 / 2.7, 0.175 / 2.7]],
    ['a negative sum as 0', [{ documentCosine: -0.4, bestCosine: 0.1 }], [0]],
    ['rounding above 1 as 1', [{ lexical: 1, documentCosine: 1.001, bestCosine: 1.001 }], [1]],
    [
      'all signals together',
      [
        { lexical: 4, documentCosine: 0.2, bestCosine: 0.4 },
        { lexical: 1, documentCosine: 0.1, bestCosine: 0.3 },
      ],
      [(0.7 + 0.2 + 0.4) / 2.7, (0.175 + 0.1 + 0.3) / 2.7],
    ],
  ])('scores %s', (_, signals, scores) => {
    const fused = fuse(signals.map((signal, index) => signalsOf(index, signal)));
    expect(fused).toHaveLength(scores.length);
    for (const [i, score] of scores.entries()) expect(fused[i]?.score).toBeCloseTo(score, 12);
  });

  it('sorts ties by document number', () => {
    const same = { lexical: 1, documentCosine: 0.5, bestCosine: 0.5 };
    const fused = fuse([7, 2, 9].map((document) => signalsOf(document, same)));
    expect(fused.map(({ document }) => document)).toEqual([2, 7, 9]);
  });

  it('leaves its input as it was', () => {
    const candidates = [signalsOf(2, { lexical: 1 }), signalsOf(1, { lexical: 2 })];
    const before = structuredClone(candidates);
    fuse(candidates);
    expect(candidates).toEqual(before);
  });

  it('agrees with the formula written out, in [0,1] and in order, for any signals', () => {
    const value = fc.double({ min: -1, max: 1, noNaN: true });
    const bm25 = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 50, noNaN: true }));
    const signals = fc.record({ lexical: bm25, documentCosine: value, bestCosine: value });
    fc.assert(
      fc.property(fc.array(signals, { maxLength: 20 }), (list) => {
        const fused = fuse(list.map((one, index) => signalsOf(index, one)));
        expect(fused).toHaveLength(list.length);
        const most = Math.max(0, ...list.map(({ lexical }) => lexical));
        for (const [rank, { document, score }] of fused.entries()) {
          const { lexical, documentCosine, bestCosine } = list[document] as Signals;
          const share = most > 0 ? lexical / most : 0;
          const expected = (0.7 * share + documentCosine + bestCosine) / 2.7;
          expect(score).toBeCloseTo(Math.min(1, Math.max(0, expected)), 10);
          const before = fused[rank - 1];
          if (before === undefined) continue;
          expect(before.score > score || before.document < document).toBe(true);
        }
      }),
    );
  });
});

describe('clamp', () => {
  it.each([
    [-0.1, 0],
    [0, 0],
    [0.4, 0.4],
    [1, 1],
    [1.1, 1],
  ])('turns %d into %d', (value, clamped) => {
    expect(clamp(value)).toBe(clamped);
  });
});

function signalsOf(document: number, signals: Partial<Signals>): Signals {
  return { lexical: 0, documentCosine: 0, bestCosine: 0, ...signals, document };
}
