/**
 * Chooses the sentence of a document that best answers the query. Pure.
 *
 * The cosine alone often prefers the sentence that restates the topic to the one that reports the
 * finding. Three small terms correct that, tuned on SciFact's annotated evidence:
 *
 * - coverage: the weighted share of the query's terms that occur in the sentence
 * - position: an abstract states its question first and its findings last
 * - length: a sentence of a few words reaches a high cosine too easily
 */
import { FIRST_SENTENCE } from '../store/index/dense/embeddings.ts';
import type { SentenceSpan } from '../types.ts';
import type { Candidate } from './candidates.ts';
import { sentenceCoverage } from './score-units.ts';

export const COVERAGE_WEIGHT = 0.2;
export const POSITION_WEIGHT = 0.15;
export const LENGTH_WEIGHT = 0.05;

type ScoredCandidate = Pick<Candidate, 'cosines' | 'matches'>;

/** The index of the best sentence, or -1 if there is none. The earlier sentence wins a tie. */
export function chooseSentence(candidate: ScoredCandidate, spans: readonly SentenceSpan[]): number {
  let best = -1;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < spans.length; index++) {
    const score = scoreSentence(candidate, spans, index);
    if (score > bestScore) {
      best = index;
      bestScore = score;
    }
  }
  return best;
}

/** The indexes of the best sentences, `most` at most, the best first. The first is `chooseSentence`. */
export function chooseSentences(
  candidate: ScoredCandidate,
  spans: readonly SentenceSpan[],
  most: number,
): number[] {
  return spans
    .map((_, index) => ({ index, score: scoreSentence(candidate, spans, index) }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, most)
    .map(({ index }) => index);
}

function scoreSentence(
  candidate: ScoredCandidate,
  spans: readonly SentenceSpan[],
  index: number,
): number {
  const { start, end } = spans[index] as SentenceSpan;
  return (
    (candidate.cosines[FIRST_SENTENCE + index] ?? 0) +
    COVERAGE_WEIGHT * sentenceCoverage(candidate, index) +
    POSITION_WEIGHT * Math.sqrt(spans.length > 1 ? index / (spans.length - 1) : 0) +
    LENGTH_WEIGHT * Math.log(end - start)
  );
}
