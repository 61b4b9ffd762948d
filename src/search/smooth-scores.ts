/**
 * Score smoothing over nearest neighbors (Diaz, "Regularizing Ad Hoc Retrieval Scores", 2005).
 * Similar documents tend to be relevant to the same queries (the cluster hypothesis: Jardine and
 * van Rijsbergen, 1971), so each of the top documents moves toward the scores of its neighbors
 * among them.
 */
import { cosinesBetweenOwn } from '../index/dense/embeddings.ts';
import type { Ranked } from './ranked.ts';

export const SMOOTHED_DOCUMENTS = 30;
export const NEIGHBORS = 4;
export const NEIGHBOR_WEIGHT = 0.2;

/** The documents in their order, the top ones with smoothed scores. `ranked` must be sorted by score. */
export function smoothScores(ranked: readonly Ranked[]): Ranked[] {
  const best = ranked.slice(0, SMOOTHED_DOCUMENTS);
  if (best.length <= NEIGHBORS) return [...ranked];
  const all = cosinesBetweenOwn(best.map(({ candidate }) => candidate.own));
  const smoothed = best.map((item, index) => {
    const cosines = all.subarray(index * best.length, (index + 1) * best.length);
    cosines[index] = Number.NEGATIVE_INFINITY;
    let sum = 0;
    for (let i = 0; i < NEIGHBORS; i++) sum += (best[takeLargest(cosines)] as Ranked).score;
    return {
      ...item,
      score: (1 - NEIGHBOR_WEIGHT) * item.score + (NEIGHBOR_WEIGHT * sum) / NEIGHBORS,
    };
  });
  return [...smoothed, ...ranked.slice(SMOOTHED_DOCUMENTS)];
}

/** The index of the largest value, the first of equals. Replaces it by negative infinity. */
function takeLargest(values: Float64Array): number {
  let largest = 0;
  for (let i = 1; i < values.length; i++) {
    if ((values[i] as number) > (values[largest] as number)) largest = i;
  }
  values[largest] = Number.NEGATIVE_INFINITY;
  return largest;
}
