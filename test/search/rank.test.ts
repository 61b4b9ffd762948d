import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../src/search/candidates.ts';
import {
  clamp,
  INTERACTION_DOCUMENTS,
  type RankOptions,
  rank,
  rankFirstStage,
} from '../../src/search/rank.ts';
import type { Ranked } from '../../src/search/ranked.ts';
import { toyVector } from '../index/memory-index.ts';
import { candidateOf, statisticsOf, type ToyCandidate } from './toy-candidates.ts';

const statistics = statisticsOf(['mice', 'sleep', 'tide']);
const own = toyVector('the same for all');

function rankAll(fields: readonly ToyCandidate[]): Ranked[] {
  return rankOf(fields.map((one, i) => candidateOf({ document: i + 1, own, ...one })));
}

function rankOf(candidates: readonly Candidate[], options?: RankOptions): Ranked[] {
  return rank(rankFirstStage(candidates), statistics, options);
}

describe('the first-stage score', () => {
  it.each<[what: string, fields: ToyCandidate[], scores: number[]]>([
    ['a full match', [{ bm25: 3, cosines: [1, 1] }], [1]],
    ['no match', [{}], [0]],
    ['BM25 alone', [{ bm25: 0.001 }], [0.6 / 2.6]],
    ['the document alone', [{ cosines: [0.5, 0] }], [0.5 / 2.6]],
    ['the best sentence alone', [{ cosines: [0, 0.1, 0.5, 0.2] }], [0.5 / 2.6]],
    ['BM25 as a share of the best', [{ bm25: 8 }, { bm25: 2 }], [0.6 / 2.6, 0.15 / 2.6]],
    [
      'the query’s words in a unit',
      [{ title: 'Mice', cosines: [0, 0.5], shares: { mice: 0.6 } }],
      [0.56 / 2.6],
    ],
    [
      'all features together',
      [
        { bm25: 4, cosines: [0.2, 0.4] },
        { bm25: 1, cosines: [0.1, 0.3] },
      ],
      [1.2 / 2.6, 0.55 / 2.6],
    ],
  ])('is correct for %s', (_, fields, scores) => {
    const ranked = rankAll(fields);
    expect(ranked).toHaveLength(scores.length);
    for (const [i, score] of scores.entries()) expect(ranked[i]?.firstScore).toBeCloseTo(score, 12);
  });
});

describe('rank', () => {
  it('returns nothing for no candidates', () => {
    expect(rankOf([])).toEqual([]);
  });

  it('raises a document that resembles the top documents', () => {
    // All vectors are equal, so the centroid feature is 1. There are no expansion terms.
    for (const { score, firstScore } of rankAll([{ cosines: [0.6, 0.6] }, { cosines: [0, 0] }])) {
      expect(score).toBeCloseTo((2.6 * firstScore + 0.3) / 3.1, 2);
    }
    const title = 'Sleep';
    const others = statisticsOf(['sleep', 'sleep', ...Array.from({ length: 8 }, () => 'tide')]);
    const [best] = rank(rankFirstStage([candidateOf({ title, cosines: [0.6, 0.6] })]), others);
    expect(best?.score).toBeCloseTo((2.6 * (1.2 / 2.6) + 0.3 + 0.2) / 3.1, 2);
  });

  it('raises a document with a sentence or title near an answer', () => {
    const withAnswers = (answers: number[]) => ({
      ...candidateOf({ own, cosines: [0.6, 0.6, 0.6] }),
      answerCosines: Float64Array.from(answers),
    });
    // The first one is that of the document as a whole, which does not count.
    const [far, near] = [withAnswers([0.9, 0.1, 0.2]), withAnswers([0.1, 0.2, 0.7])];
    const ranked = rankOf([far, { ...near, document: 2 }]);
    expect(ranked.map(({ document }) => document)).toEqual([2, 1]);
    const [best, worst] = ranked.map(({ score }) => score) as [number, number];
    expect(best - worst).toBeCloseTo((0.2 / 3.3) * (0.7 - 0.2), 3);
  });

  it('smooths the top scores over their neighbors', () => {
    const ranked = rankAll(Array.from({ length: 6 }, (_, i) => ({ cosines: [i / 10, i / 10] })));
    const reranked = ranked.map(({ firstScore }) => (2.6 * firstScore + 0.3) / 3.1);
    const mean = reranked.reduce((sum, score) => sum + score, 0) / reranked.length;
    // All documents are alike, so the four neighbors of each are the first ones.
    expect(ranked[0]?.score).toBeLessThan(reranked[0] ?? 0);
    expect(ranked.at(-1)?.score).toBeGreaterThan(reranked.at(-1) ?? 1);
    expect(ranked[0]?.score).toBeGreaterThan(mean);
  });

  describe('with late interaction', () => {
    const fields = Array.from({ length: 20 }, (_, i) => ({ cosines: [1 - i / 50, 1 - i / 50] }));
    const candidates = fields.map((one, i) => candidateOf({ document: i + 1, own, ...one }));
    const before = rankOf(candidates);

    it('moves the documents that match best upward', () => {
      // The third document matches, the others do not.
      const third = before[2] as Ranked;
      const interaction = (documents: readonly unknown[]): number[] =>
        documents.map((terms) => (terms === third.candidate.terms ? 1 : 0));
      const ranked = rankOf(candidates, { interaction });
      expect(ranked[0]?.document).toBe(third.document);
      expect(ranked[0]?.score).toBeCloseTo((third.score + 0.2) / 1.2, 12);
      const others = before.filter(({ document }) => document !== third.document);
      expect(ranked.slice(1).map(({ document }) => document)).toEqual(
        others.map(({ document }) => document),
      );
    });

    it('scores only the top documents, and lets no other overtake them', () => {
      let scored = 0;
      const interaction = (documents: readonly unknown[]): number[] => {
        scored = documents.length;
        return documents.map((_, i) => 0.2 + i / 100);
      };
      const ranked = rankOf(candidates, { interaction });
      expect(scored).toBe(INTERACTION_DOCUMENTS);
      expect(scored).toBeLessThan(candidates.length);
      const last = (all: readonly Ranked[]): number[] =>
        all.slice(INTERACTION_DOCUMENTS).map(({ document }) => document);
      expect(last(ranked)).toEqual(last(before));
      const lowest = before.at(-1) as Ranked;
      expect(ranked.at(-1)?.score).toBeCloseTo((lowest.score + 0.2 * 0.2) / 1.2, 12);
    });
  });

  it('breaks ties by document number', () => {
    const same = { bm25: 1, cosines: [0.5, 0.5] };
    const ranked = rankAll([7, 2, 9, 1].map((document) => ({ ...same, document })));
    expect(ranked.map(({ document }) => document)).toEqual([1, 2, 7, 9]);
    expect(new Set(ranked.map(({ score }) => score)).size).toBe(1);
  });

  it('returns falling scores in [0,1] that do not depend on the order of the candidates', () => {
    const cosine = fc.double({ min: -1, max: 1, noNaN: true });
    const fields = fc.record({
      bm25: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 50, noNaN: true })),
      cosines: fc.array(cosine, { minLength: 2, maxLength: 5 }),
      title: fc.constantFrom('Mice', 'Mice sleep', 'Tides', ''),
      own: fc.constantFrom('a', 'b', 'c', 'd').map(toyVector),
    });
    const all = fc.array(fields, { maxLength: 60 });
    fc.assert(
      fc.property(all, fc.nat(), (list, seed) => {
        const candidates = list.map((one, i) => candidateOf({ ...one, document: i + 1 }));
        const ranked = rankOf(candidates);
        expect(scoresOf(rankOf(shuffled(candidates, seed)))).toEqual(scoresOf(ranked));
        expect(new Set(ranked.map(({ document }) => document)).size).toBe(list.length);
        for (const [at, { document, candidate, score }] of ranked.entries()) {
          expect(score).toBeGreaterThanOrEqual(0);
          expect(score).toBeLessThanOrEqual(1);
          expect(candidate).toBe(candidates[document - 1]);
          const before = ranked[at - 1];
          if (before === undefined) continue;
          expect(before.score - score || document - before.document).toBeGreaterThan(0);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('does not modify its input', () => {
    const candidates = [1, 2, 3, 4, 5, 6].map((document) =>
      candidateOf({ document, bm25: document }),
    );
    const before = structuredClone(candidates);
    rankOf(candidates);
    expect(structuredClone(candidates)).toEqual(before);
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

function scoresOf(ranked: readonly Ranked[]): [number, number][] {
  return ranked.map(({ document, score }) => [document, score]);
}

function shuffled(candidates: readonly Candidate[], seed: number): Candidate[] {
  const key = ({ document }: Candidate): number => Math.imul(document + seed, 0x9e3779b1) >>> 0;
  return [...candidates].sort((a, b) => key(a) - key(b));
}
