/** Splits a cell: 2-means on unit vectors. Pure and deterministic. */
import type { Embedding } from '../types.ts';
import { meanVector } from './mean-vector.ts';

export interface Group {
  /** Mean of the group's vectors, at unit length. */
  centre: Embedding;
  /** Which of the vectors belong to it. */
  indexes: number[];
}

const ROUNDS = 8;

/**
 * Starts from the vector that is farthest from the mean and the one farthest from that. Neither
 * group is empty, even where all vectors are the same. Takes at least two vectors.
 */
export function splitInTwo(vectors: readonly Embedding[]): [Group, Group] {
  const first = farthest(vectors, meanVector(vectors));
  let centres = [first, farthest(vectors, first)] as const;
  let indexes = assign(vectors, centres);
  for (let round = 1; round < ROUNDS; round++) {
    centres = [meanVector(pick(vectors, indexes[0])), meanVector(pick(vectors, indexes[1]))];
    indexes = assign(vectors, centres);
  }
  return [
    { centre: meanVector(pick(vectors, indexes[0])), indexes: indexes[0] },
    { centre: meanVector(pick(vectors, indexes[1])), indexes: indexes[1] },
  ];
}

/** The nearer centre for each vector; by halves where all would go to one. */
function assign(
  vectors: readonly Embedding[],
  [a, b]: readonly [Embedding, Embedding],
): [number[], number[]] {
  const groups: [number[], number[]] = [[], []];
  for (const [index, vector] of vectors.entries()) {
    groups[dot(vector, a) >= dot(vector, b) ? 0 : 1].push(index);
  }
  if (groups[0].length > 0 && groups[1].length > 0) return groups;
  const all = [...vectors.keys()];
  return [all.slice(0, all.length >> 1), all.slice(all.length >> 1)];
}

function farthest(vectors: readonly Embedding[], from: Embedding): Embedding {
  let found = vectors[0] as Embedding;
  let least = Number.POSITIVE_INFINITY;
  for (const vector of vectors) {
    const cosine = dot(vector, from);
    if (cosine < least) {
      least = cosine;
      found = vector;
    }
  }
  return found;
}

function pick(vectors: readonly Embedding[], indexes: readonly number[]): Embedding[] {
  return indexes.map((index) => vectors[index] as Embedding);
}

function dot(a: Embedding, b: Embedding): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
