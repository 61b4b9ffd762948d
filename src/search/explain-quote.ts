/** Why a sentence of a document was chosen, for explanations and measurements. Pure. */
import type { Citation } from '../types.ts';
import { type ProbabilityFeatures, probabilityFeatures } from './answer-probability.ts';
import { contributionsOf, rankSentences, type ScoredSentence } from './choose-sentence.ts';
import type { Choosing } from './cite.ts';
import type { DistinctPaper } from './deduplicate.ts';
import type { FeatureName } from './sentence-features.ts';
import { weightsFor } from './sentence-weights.ts';

export interface WeighedSentence {
  /** The place of the sentence among those of its document, from 0. */
  sentence: number;
  /** What each feature adds to its score. */
  contributions: [feature: FeatureName, contribution: number][];
}

export interface QuoteExplanation extends WeighedSentence {
  /** What the probability that it answers depends on. */
  probability: ProbabilityFeatures;
  /** The next best sentence. Absent if the document has only one. */
  next?: WeighedSentence;
}

/** A result of a search with the reason for its quote. */
export interface ExplainedResult {
  /** With the chosen sentence and the next best one in `sentences`. */
  citation: Citation;
  /** Undefined for a paper without sentences. */
  quote: QuoteExplanation | undefined;
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
  const [best, next] = ranked;
  if (best === undefined) return undefined;
  const weigh = ({ index }: ScoredSentence): WeighedSentence => ({
    sentence: index,
    contributions: contributionsOf(document, index, featureWeights),
  });
  return {
    ...weigh(best),
    probability: probabilityFeatures(document, ranked, score),
    ...(next && { next: weigh(next) }),
  };
}
