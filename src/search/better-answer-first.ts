/**
 * The last stage of the ranking: the second document takes the first place if one of its sentences answers
 * enough better. Pure.
 *
 * A paper may be about the question and not answer it. Its nearest sentence is then farther from an answer,
 * and not much nearer than its other sentences.
 */
import { FIRST_SENTENCE } from '../index/dense/embeddings.ts';
import type { Candidate } from './candidates.ts';
import type { Ranked } from './ranked.ts';

/** How much a higher cosine raises the share of a sentence: about the weight that choosing one gives it. */
const SHARPNESS = 16;

export interface TopWeights {
  /** Of the highest cosine of a unit with the vector of an answer, relative to the score. */
  topAnswer: number;
  /** Of the share of the nearest sentence among those of its document. */
  topShare: number;
}

/** Both documents keep the scores of their places, so that scores still fall. */
export function betterAnswerFirst(ranked: Ranked[], { topAnswer, topShare }: TopWeights): Ranked[] {
  const [first, second, ...others] = ranked;
  if (first === undefined || second === undefined) return ranked;
  const sumOf = ({ score, candidate }: Ranked): number =>
    score + topAnswer * nearestAnswer(candidate) + topShare * shareOfNearest(candidate);
  if (sumOf(second) <= sumOf(first)) return ranked;
  return [{ ...second, score: first.score }, { ...first, score: second.score }, ...others];
}

/** The highest cosine of the title or a sentence with the vector of an answer; 0 without one. */
export function nearestAnswer({ answerCosines = new Float64Array(2) }: Candidate): number {
  return answerCosines.subarray(1).reduce((most, cosine) => Math.max(most, cosine), -1);
}

/** The softmax of the cosines of the sentences, for the nearest one; 0 without sentences. */
function shareOfNearest({ answerCosines = new Float64Array(2) }: Candidate): number {
  const sentences = answerCosines.subarray(FIRST_SENTENCE);
  const highest = sentences.reduce((most, cosine) => Math.max(most, cosine), -1);
  const sum = sentences.reduce((total, one) => total + Math.exp(SHARPNESS * (one - highest)), 0);
  return sum === 0 ? 0 : 1 / sum;
}
