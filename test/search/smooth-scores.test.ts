import { describe, expect, it } from 'vitest';
import { dequantizeOwn } from '../../src/index/dense/embeddings.ts';
import type { Ranked } from '../../src/search/ranked.ts';
import {
  NEIGHBOR_WEIGHT,
  NEIGHBORS,
  SMOOTHED_DOCUMENTS,
  smoothScores,
} from '../../src/search/smooth-scores.ts';
import type { Embedding } from '../../src/types.ts';
import { toyVector } from '../index/memory-index.ts';
import { cosineOf, rankedOf } from './toy-candidates.ts';

/** Documents with falling scores and unrelated vectors. */
function documents(count: number): Ranked[] {
  return Array.from({ length: count }, (_, i) =>
    rankedOf({ document: i + 1, score: 1 - i / 100, own: toyVector(`smooth ${i}`) }),
  );
}

/** The smoothed scores of the top documents, written out over the unpacked vectors. */
function smoothed(ranked: readonly Ranked[]): number[] {
  const best = ranked.slice(0, SMOOTHED_DOCUMENTS);
  const vectors = best.map(({ candidate }) => dequantizeOwn(candidate.own));
  return best.map(({ score }, i) => {
    const own = vectors[i] as Embedding;
    const nearest = vectors
      .map((vector, j) => ({ j, score: best[j]?.score ?? 0, cosine: cosineOf(own, vector) }))
      .filter(({ j }) => j !== i)
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, NEIGHBORS);
    const mean = nearest.reduce((sum, other) => sum + other.score, 0) / NEIGHBORS;
    return score + NEIGHBOR_WEIGHT * (mean - score);
  });
}

describe('smoothScores', () => {
  it.each(Array.from({ length: NEIGHBORS + 1 }, (_, count) => count))(
    'does not change %i documents, which have too few neighbors each',
    (count) => {
      const ranked = documents(count);
      expect(smoothScores(ranked)).toEqual(ranked);
    },
  );

  it.each([
    ...[NEIGHBORS + 1, NEIGHBORS + 2],
    ...[SMOOTHED_DOCUMENTS - 1, SMOOTHED_DOCUMENTS, SMOOTHED_DOCUMENTS + 1, 2 * SMOOTHED_DOCUMENTS],
  ])('moves the top scores of %i documents toward their neighbors', (count) => {
    const ranked = documents(count);
    const expected = smoothed(ranked);
    const after = smoothScores(ranked);
    expect(after.map(({ document }) => document)).toEqual(ranked.map(({ document }) => document));
    for (const [i, score] of expected.entries()) expect(after[i]?.score).toBeCloseTo(score, 9);
    expect(after.slice(SMOOTHED_DOCUMENTS)).toEqual(ranked.slice(SMOOTHED_DOCUMENTS));
  });

  it('moves a score toward similar documents only', () => {
    const [like, unlike] = [toyVector('like'), toyVector('unlike')];
    const ranked = Array.from({ length: 2 * (NEIGHBORS + 1) }, (_, i) => {
      const isHigh = i <= NEIGHBORS;
      return rankedOf({ document: i, score: isHigh ? 1 : 0.5, own: isHigh ? like : unlike });
    });
    expect(smoothScores(ranked).map(({ score }) => score)).toEqual(
      ranked.map(({ score }) => score),
    );
    // The last of the high scores now has neighbors with low scores.
    ranked[NEIGHBORS] = rankedOf({ document: NEIGHBORS, score: 1, own: unlike });
    const moved = smoothScores(ranked)[NEIGHBORS]?.score;
    expect(moved).toBeCloseTo(1 - NEIGHBOR_WEIGHT * (1 - 0.5), 9);
    expect(moved).toBeLessThan(1);
  });

  it('changes nothing but the score and does not modify its input', () => {
    const ranked = documents(7);
    const before = ranked.map((one) => ({ ...one }));
    for (const [i, one] of smoothScores(ranked).entries()) {
      expect({ ...one, score: 0 }).toEqual({ ...before[i], score: 0 });
    }
    expect(ranked).toEqual(before);
  });
});
