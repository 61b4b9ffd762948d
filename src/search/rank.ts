/**
 * Ranks the candidates in five stages.
 *
 *   1  first-stage score: a weighted sum of BM25, the cosine of the document, and its best unit
 *   2  rerank: adds how near an answer is, and the features of pseudo-relevance feedback, to the sum
 *   3  score smoothing: moves each of the top scores toward those of its nearest neighbors
 *   4  late interaction: adds how well the words of the query match those of the top documents
 *   5  the better answer of the first two documents takes the first place
 *
 * It combines scores, not ranks. Every score is in [0,1] and depends on nothing but the index and
 * the query. README.md has the formulas.
 */
import type { TermStatistics } from '../index/lexical/term-statistics.ts';
import { betterAnswerFirst, nearestAnswer } from './better-answer-first.ts';
import type { Candidate } from './candidates.ts';
import type { LateInteraction } from './late-interaction.ts';
import { scoreFeedback } from './pseudo-relevance-feedback.ts';
import { asksForFact } from './question-kind.ts';
import type { Ranked } from './ranked.ts';
import { scoreBestUnit } from './score-units.ts';
import { smoothScores } from './smooth-scores.ts';

/** The weight of each feature in the score. */
export const weights = {
  bm25: 0.6,
  document: 1,
  unit: 1,
  feedbackVector: 0.3,
  feedbackTerms: 0.2,
  answer: 0.2,
  /** Relative to all others together, as the following ones. */
  interaction: 0.2,
  topAnswer: 0.3,
  topShare: 0.2,
};
export type RankWeights = typeof weights;

/** For a question that asks for a fact: among papers about the same subject, few answer it. */
export const factWeights: RankWeights = { ...weights, answer: 1.2, interaction: 0.3 };

/** The weights for a query, by what it asks for. */
export function rankWeightsFor(query: string): RankWeights {
  return asksForFact(query) ? factWeights : weights;
}

/** Top documents of the first three stages that late interaction scores. */
export const INTERACTION_DOCUMENTS = 15;

export interface RankOptions {
  /** Absent if the model has no term embeddings, or the query no words. */
  interaction?: LateInteraction | undefined;
  /** Those of `rankWeightsFor`; by default, for a query that asks for no fact. */
  weights?: RankWeights;
}

/**
 * Ranks the candidates that `rankFirstStage` has ranked with the same weights, best first. Ties are in
 * the order of the document numbers. `statistics` are those of `feedbackTermsOf`.
 */
export function rank(
  firstStage: readonly Ranked[],
  statistics: TermStatistics,
  { interaction, weights: all = weights }: RankOptions = {},
): Ranked[] {
  const { bm25, document, unit, feedbackVector, feedbackTerms } = all;
  // Candidates have no cosines with an answer if the model has no vector for it.
  const answer = firstStage[0]?.candidate.answerCosines === undefined ? 0 : all.answer;
  const firstStageWeightSum = bm25 + document + unit;
  const rerankWeightSum = firstStageWeightSum + feedbackVector + feedbackTerms + answer;
  const feedback = scoreFeedback(firstStage, statistics);
  const reranked = firstStage.map((ranked, i) => {
    const { vector, terms } = feedback[i] as (typeof feedback)[number];
    const sum =
      firstStageWeightSum * ranked.firstScore +
      feedbackVector * vector +
      feedbackTerms * terms +
      answer * nearestAnswer(ranked.candidate);
    return { ...ranked, score: sum / rerankWeightSum };
  });
  const smoothed = smoothScores(reranked.sort(byScore)).sort(byScore);
  const interacted = addInteraction(smoothed, all.interaction, interaction)
    .map((ranked) => ({ ...ranked, score: clamp(ranked.score) }))
    .sort(byScore);
  return betterAnswerFirst(interacted, all);
}

/** The other documents take the lowest value of those that are scored, so that none overtakes them. */
function addInteraction(
  ranked: readonly Ranked[],
  weight: number,
  interaction: LateInteraction | undefined,
): readonly Ranked[] {
  if (interaction === undefined || weight === 0) return ranked;
  const top = ranked.slice(0, INTERACTION_DOCUMENTS);
  const found = interaction(top.map(({ candidate }) => candidate.terms));
  const least = Math.min(...found);
  return ranked.map((one, at) => ({
    ...one,
    score: (one.score + weight * (found[at] ?? least)) / (1 + weight),
  }));
}

/** The candidates with their first-stage scores, best first. */
export function rankFirstStage(
  candidates: readonly Candidate[],
  { bm25, document, unit }: Pick<RankWeights, 'bm25' | 'document' | 'unit'> = weights,
): Ranked[] {
  const weightSum = bm25 + document + unit;
  // BM25 has no fixed scale, so it is divided by that of the best document.
  const bm25Max = candidates.reduce((most, one) => Math.max(most, one.bm25), 0);
  return candidates
    .map((candidate) => {
      const sum =
        bm25 * (bm25Max > 0 ? candidate.bm25 / bm25Max : 0) +
        document * (candidate.cosines[0] as number) +
        unit * scoreBestUnit(candidate);
      const score = sum / weightSum;
      return { document: candidate.document, candidate, score, firstScore: score };
    })
    .sort(byScore);
}

function byScore(a: Ranked, b: Ranked): number {
  return b.score - a.score || a.document - b.document;
}

/** The score as an answer shows it, rounded to 3 decimals. */
export function shownScore({ score }: Pick<Ranked, 'score'>): number {
  return Math.round(score * 1000) / 1000;
}

/** Limits a value to [0,1]. */
export function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
