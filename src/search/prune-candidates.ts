/**
 * Prunes the retrieved documents to those worth reading. The score is cheap: the weights of the
 * matched words and the approximate cosine that dense retrieval returned. Pure.
 */

import type { WordMatches } from '../index/lexical/lexical-retrieval.ts';
import type { DenseMatches } from '../index/ports/index-source.ts';
import type { DocumentNumber } from '../types.ts';
import { keepBest } from '../vectors/keep-best.ts';

/** The weight of a full lexical match, relative to a cosine of 1. */
export const LEXICAL_WEIGHT = 0.35;
/**
 * A document outside the probed lists is assumed to score at most this much above the last probed
 * centroid. If even that would not make it a candidate, its vector is not read. Measured, this
 * margin saves nearly half of those reads and loses 2 candidates in 1,000.
 */
export const MARGIN = 0.2;

export interface PruneLimits {
  candidatesMax: number;
  /** Documents outside the probed lists whose vectors are read. */
  unprobedMax: number;
  /** Documents excluded from results. */
  withheld: ReadonlyMap<DocumentNumber, unknown>;
}

/** A pruning that needs some more scores. */
export interface Pruning {
  /** Documents outside the probed lists whose scores may make them candidates. */
  unscored: DocumentNumber[];
  /** Takes their scores in their order. Returns the best documents, unsorted. Call it once. */
  finish(scores: Float32Array): DocumentNumber[];
}

/** Prunes the matches of lexical and dense retrieval. `near` has the scores of `matches`, and they change. */
export function startPruning(
  matches: WordMatches,
  near: Pick<DenseMatches, 'nearest' | 'scores'>,
  { candidatesMax, unprobedMax, withheld }: PruneLimits,
): Pruning {
  const { documents, weights, isFound } = matches;
  const { scores, unknown } = near.scores;
  const weightScale = LEXICAL_WEIGHT / largest(weights);
  for (let at = 0; at < scores.length; at++) {
    scores[at] = (scores[at] as number) + weightScale * (weights[at] as number);
  }
  const best = keepBest(candidatesMax);
  const consider = (positions: Uint32Array): void => {
    let worst = best.worst();
    for (let i = 0; i < positions.length; i++) {
      const at = positions[i] as number;
      const score = scores[at] as number;
      if (score < worst || withheld.has(documents[at] as DocumentNumber)) continue;
      best.add(documents[at] as DocumentNumber, score);
      worst = best.worst();
    }
  };
  consider(othersThan(unknown, scores.length));
  for (const { document, score } of near.nearest) {
    if (!isFound(document) && !withheld.has(document)) best.add(document, score);
  }
  const scoreMin = best.worst() - MARGIN;
  const unprobed = heaviest(
    unknown,
    weights,
    unprobedMax,
    (at) => (scores[at] as number) >= scoreMin,
  );
  return {
    unscored: unprobed.map((at) => documents[at] as DocumentNumber),
    finish(unprobedScores) {
      for (const [i, at] of unprobed.entries()) {
        scores[at] = (unprobedScores[i] as number) + weightScale * (weights[at] as number);
      }
      consider(unknown);
      return best.unordered();
    },
  };
}

function largest(values: Float64Array): number {
  let most = Number.EPSILON;
  for (let i = 0; i < values.length; i++) most = Math.max(most, values[i] as number);
  return most;
}

/** The positions below `end` that are not among `positions`, which ascend. */
function othersThan(positions: Uint32Array, end: number): Uint32Array {
  const others = new Uint32Array(end - positions.length);
  let size = 0;
  let next = 0;
  for (let at = 0; at < end; at++) {
    if (at === positions[next]) next++;
    else others[size++] = at;
  }
  return others;
}

/** The wanted positions with the largest weights, `most` at most. */
function heaviest(
  positions: Uint32Array,
  weights: Float64Array,
  most: number,
  isWanted: (position: number) => boolean,
): number[] {
  const best = keepBest(most);
  for (let i = 0; i < positions.length; i++) {
    const at = positions[i] as number;
    if (isWanted(at)) best.add(at, weights[at] as number);
  }
  return best.unordered();
}
