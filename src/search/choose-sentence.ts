/**
 * Chooses the sentence of a document that best answers the query. Pure.
 *
 * The cosine alone often prefers the sentence that restates the topic to the one that reports the
 * finding. Small terms correct that, tuned on SciFact's annotated evidence:
 *
 * - coverage: the weighted share of the query's terms that occur in the sentence
 * - position: an abstract states its question first and its findings last
 * - length: a sentence of a few words reaches a high cosine too easily
 * - role: "In this paper, we propose X" is about X, but says nothing of it
 */
import { FIRST_SENTENCE } from '../store/index/dense/embeddings.ts';
import type { SentenceSpan } from '../types.ts';
import type { Candidate } from './candidates.ts';
import { type RhetoricalRole, rhetoricalRole } from './rhetorical-role.ts';
import { sentenceCoverage } from './score-units.ts';

export const COVERAGE_WEIGHT = 0.2;
export const POSITION_WEIGHT = 0.15;
export const LENGTH_WEIGHT = 0.05;
export const FINDING_BONUS = 0.05;
export const ANNOUNCEMENT_PENALTY = 0.2;
export const BACKGROUND_PENALTY = 0.1;
const roleWeights: Readonly<Record<RhetoricalRole, number>> = {
  finding: FINDING_BONUS,
  announcement: -ANNOUNCEMENT_PENALTY,
  background: -BACKGROUND_PENALTY,
  other: 0,
};

type ScoredCandidate = Pick<Candidate, 'cosines' | 'matches'>;

/** A text and its sentences. */
export interface SplitText {
  abstract: string;
  spans: readonly SentenceSpan[];
}

/** The index of the best sentence, or -1 if there is none. The earlier sentence wins a tie. */
export function chooseSentence(candidate: ScoredCandidate, text: SplitText): number {
  let best = -1;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const { index, score } of scoreWithoutRoles(candidate, text).sort(byScore)) {
    // Roles take longer than all the rest, and no later sentence can win with any.
    if (score + FINDING_BONUS < bestScore) break;
    const whole = score + roleWeight(text, index);
    if (whole > bestScore || (whole === bestScore && index < best)) {
      best = index;
      bestScore = whole;
    }
  }
  return best;
}

/** The indexes of the best sentences, `most` at most, the best first. The first is `chooseSentence`. */
export function chooseSentences(
  candidate: ScoredCandidate,
  text: SplitText,
  most: number,
): number[] {
  return scoreWithoutRoles(candidate, text)
    .map(({ index, score }) => ({ index, score: score + roleWeight(text, index) }))
    .sort(byScore)
    .slice(0, most)
    .map(({ index }) => index);
}

interface ScoredSentence {
  index: number;
  score: number;
}

/** All sentences, in their order. */
function scoreWithoutRoles(candidate: ScoredCandidate, { spans }: SplitText): ScoredSentence[] {
  const last = Math.max(1, spans.length - 1);
  return spans.map(({ start, end }, index) => ({
    index,
    score:
      (candidate.cosines[FIRST_SENTENCE + index] ?? 0) +
      COVERAGE_WEIGHT * sentenceCoverage(candidate, index) +
      POSITION_WEIGHT * Math.sqrt(index / last) +
      LENGTH_WEIGHT * Math.log(end - start),
  }));
}

/** The best first; the earlier one wins a tie. */
function byScore(a: ScoredSentence, b: ScoredSentence): number {
  return b.score - a.score || a.index - b.index;
}

function roleWeight({ abstract, spans }: SplitText, index: number): number {
  const { start, end } = spans[index] as SentenceSpan;
  return roleWeights[rhetoricalRole(abstract.slice(start, end))];
}
