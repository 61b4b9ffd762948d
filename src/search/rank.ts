/**
 * Ranks the candidates, in three rounds.
 *
 *   1  a weighted sum of bm25, the cosine of the document and the best of title and sentences
 *   2  the same, and what the documents that are best so far have in common: their mean vector and
 *      their telling terms
 *   3  the best are drawn a little to the scores of those that are most like them
 *
 * Weighted sums of scores, not of ranks: on SciFact and Cranfield they beat reciprocal rank fusion
 * by 0.03 nDCG@10. Every score is in [0,1], and the same for the same index.
 */
import type { Candidate } from './candidates.ts';
import { scoreFeedback } from './feedback.ts';
import type { Ranked } from './ranked.ts';
import { scoreBestUnit } from './score-units.ts';
import { smooth } from './smooth.ts';
import type { WeighedQuery } from './weigh-query.ts';

/** The signals' weights, in the sum that the score is. */
const weights = { bm25: 0.7, document: 1, unit: 1, feedbackVector: 0.3, feedbackTerms: 0.2 };
const firstSum = weights.bm25 + weights.document + weights.unit;
const secondSum = firstSum + weights.feedbackVector + weights.feedbackTerms;

/** The candidates with their scores, best first, ties by document number. */
export function rank(candidates: readonly Candidate[], query: WeighedQuery): Ranked[] {
  const first = firstRound(candidates);
  const feedback = scoreFeedback(first, query.statistics);
  const second = first.map((ranked, i) => {
    const { vector, terms } = feedback[i] as (typeof feedback)[number];
    const sum =
      firstSum * ranked.firstScore +
      weights.feedbackVector * vector +
      weights.feedbackTerms * terms;
    return { ...ranked, score: sum / secondSum };
  });
  return smooth(second.sort(byScore))
    .map((ranked) => ({ ...ranked, score: clamp(ranked.score) }))
    .sort(byScore);
}

function firstRound(candidates: readonly Candidate[]): Ranked[] {
  // bm25 has no fixed scale, so it counts as a share of the best document's.
  const bm25Max = candidates.reduce((most, { bm25 }) => Math.max(most, bm25), 0);
  return candidates
    .map((candidate) => {
      const sum =
        weights.bm25 * (bm25Max > 0 ? candidate.bm25 / bm25Max : 0) +
        weights.document * (candidate.cosines[0] as number) +
        weights.unit * scoreBestUnit(candidate);
      const score = sum / firstSum;
      return { document: candidate.document, candidate, score, firstScore: score };
    })
    .sort(byScore);
}

function byScore(a: Ranked, b: Ranked): number {
  return b.score - a.score || a.document - b.document;
}

/** The score as an answer has it. */
export function shownScore({ score }: Pick<Ranked, 'score'>): number {
  return Math.round(score * 1000) / 1000;
}

/** Into [0,1]. */
export function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
