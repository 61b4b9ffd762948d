/** How probably the chosen sentence of a document answers the query. Pure. */
import type { ScoredSentence } from './choose-sentence.ts';
import { featureOf, type ScoredDocument } from './sentence-features.ts';
import type { ProbabilityWeights } from './sentence-weights.ts';

/** The numbers that the probability depends on, by the names of their weights. */
export type ProbabilityFeatures = Readonly<
  Record<Exclude<keyof ProbabilityWeights, 'bias'>, number>
>;

/**
 * `ranked` are the document's sentences, the best first, at least one. `relevance` is the document's score
 * in the ranking.
 */
export function probabilityFeatures(
  document: ScoredDocument,
  ranked: readonly ScoredSentence[],
  relevance: number,
): ProbabilityFeatures {
  const [best] = ranked as [ScoredSentence];
  const sum = ranked.reduce((total, { score }) => total + Math.exp(score - best.score), 0);
  return {
    relevance,
    score: best.score,
    share: 1 / sum,
    answer: featureOf('answer', document, best.index),
    coverage: featureOf('coverage', document, best.index),
  };
}

/** A logistic regression (Platt, "Probabilistic Outputs for Support Vector Machines", 1999). */
export function answerProbability(
  { relevance, score, share, answer, coverage }: ProbabilityFeatures,
  weights: ProbabilityWeights,
): number {
  const logOdds =
    weights.bias +
    weights.relevance * relevance +
    weights.score * score +
    weights.share * share +
    weights.answer * answer +
    weights.coverage * coverage;
  return 1 / (1 + Math.exp(-logOdds));
}
