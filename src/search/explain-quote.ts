/** Why a sentence of a document was chosen, for explanations and measurements. Pure. */
import { type ProbabilityFeatures, probabilityFeatures } from './answer-probability.ts';
import { contributionsOf, rankSentences } from './choose-sentence.ts';
import type { Choosing } from './cite.ts';
import type { DistinctPaper } from './deduplicate.ts';
import type { FeatureName } from './sentence-features.ts';
import { weightsFor } from './sentence-weights.ts';

export interface QuoteExplanation {
  /** The place of the sentence among those of its document, from 0. */
  sentence: number;
  /** What each feature adds to its score. */
  contributions: [feature: FeatureName, contribution: number][];
  /** What the probability that it answers depends on. */
  probability: ProbabilityFeatures;
}

/** Returns undefined for a document without sentences. */
export function explainQuote(
  {
    candidate,
    score,
    cited: { abstract, spans },
  }: Pick<DistinctPaper, 'candidate' | 'score' | 'cited'>,
  { query, weights }: Choosing,
): QuoteExplanation | undefined {
  const document = { candidate, abstract, spans };
  const featureWeights = weightsFor(weights, query);
  const ranked = rankSentences(document, featureWeights);
  const [best] = ranked;
  if (best === undefined) return undefined;
  return {
    sentence: best.index,
    contributions: contributionsOf(document, best.index, featureWeights),
    probability: probabilityFeatures(document, ranked, score),
  };
}
