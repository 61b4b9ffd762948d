/**
 * Chooses the sentences of a document that answer a query best. A sentence's score is a weighted sum of
 * its features. With the weights of an encoder that was trained for it, the scores are log-odds: their
 * softmax over a document's sentences is the probability of each to be the one that answers. Pure.
 */
import { type FeatureName, featureOf, type ScoredDocument } from './sentence-features.ts';
import type { FeatureWeights } from './sentence-weights.ts';

export interface ScoredSentence {
  /** Its place among the document's sentences. */
  index: number;
  score: number;
}

/** All sentences, the best first. The earlier one wins a tie. */
export function rankSentences(document: ScoredDocument, weights: FeatureWeights): ScoredSentence[] {
  return document.spans
    .map((_, index) => ({ index, score: scoreOf(document, index, weights) }))
    .sort((a, b) => b.score - a.score || a.index - b.index);
}

/** What each feature adds to the score of a sentence, for explanations. */
export function contributionsOf(
  document: ScoredDocument,
  index: number,
  weights: FeatureWeights,
): [feature: FeatureName, contribution: number][] {
  const all = Object.entries(weights) as [FeatureName, number][];
  return all.map(([name, weight]) => [name, weight * featureOf(name, document, index)]);
}

function scoreOf(document: ScoredDocument, index: number, weights: FeatureWeights): number {
  return contributionsOf(document, index, weights).reduce((sum, [, value]) => sum + value, 0);
}
