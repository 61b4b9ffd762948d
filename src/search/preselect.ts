/**
 * Chooses the documents that are worth reading, by what is known of them already: the words that were
 * found, and the cosine, roughly.
 */
import type { NearDocuments } from '../store/index/dense/dense-retrieval.ts';
import type { WordMatches } from '../store/index/lexical/lexical-retrieval.ts';
import type { DocumentNumber } from '../types.ts';
import { keepBest } from '../vectors/keep-best.ts';

/** What having all of the question's words counts against a cosine of 1. */
const WORDS_SHARE = 0.35;
/**
 * By how much a document in no near cell may score more than the last near cell's centre. Those that
 * this does not bring among the best are not looked at: nearly half of them, for two candidates lost
 * in a thousand, measured.
 */
const REACH = 0.2;

export interface PreselectLimits {
  candidatesMax: number;
  /** Documents in no near cell whose vectors are looked at. */
  furtherMax: number;
  /** Documents that are left out. */
  withheld: ReadonlyMap<DocumentNumber, unknown>;
}

/** The best documents of both kinds, in no order. */
export function preselect(
  matches: WordMatches,
  near: NearDocuments,
  { candidatesMax, furtherMax, withheld }: PreselectLimits,
): DocumentNumber[] {
  const { documents, weights, isFound } = matches;
  const { scores, unknown } = near.scoresOf(documents);
  const weightShare = WORDS_SHARE / largest(weights);
  for (let at = 0; at < scores.length; at++) {
    scores[at] = (scores[at] as number) + weightShare * (weights[at] as number);
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
  const enough = best.worst() - REACH;
  const further = heaviest(unknown, weights, furtherMax, (at) => (scores[at] as number) >= enough);
  const furtherScores = near.scoresIn(further.map((at) => documents[at] as DocumentNumber));
  for (const [i, at] of further.entries()) {
    scores[at] = (furtherScores[i] as number) + weightShare * (weights[at] as number);
  }
  consider(unknown);
  return best.unordered();
}

function largest(values: Float64Array): number {
  let most = Number.EPSILON;
  for (let i = 0; i < values.length; i++) most = Math.max(most, values[i] as number);
  return most;
}

/** The positions below `end` that are not among these ascending ones. */
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

/** Of the positions that are wanted those with the largest weights. */
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
