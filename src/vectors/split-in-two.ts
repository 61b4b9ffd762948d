/** Splits the vectors of an inverted list: spherical 2-means. Pure and deterministic. */

import type { Embedding } from '../types.ts';
import { dotProduct } from './dot-product.ts';
import { meanVector } from './mean-vector.ts';

export interface Cluster {
  /** The mean of the cluster's vectors, at unit length. */
  centroid: Embedding;
  /** The positions of its vectors among the given ones. */
  indexes: number[];
}

const ROUNDS = 8;

/**
 * Splits two or more vectors into two clusters. The first centroid is the vector farthest from the
 * mean, the second is the vector farthest from the first. Neither cluster is empty, even if all
 * vectors are equal.
 */
export function splitInTwo(vectors: readonly Embedding[]): [Cluster, Cluster] {
  const first = farthest(vectors, meanVector(vectors));
  let centroids = [first, farthest(vectors, first)] as const;
  let indexes = assign(vectors, centroids);
  for (let round = 1; round < ROUNDS; round++) {
    centroids = [meanVector(pick(vectors, indexes[0])), meanVector(pick(vectors, indexes[1]))];
    indexes = assign(vectors, centroids);
  }
  return [
    { centroid: meanVector(pick(vectors, indexes[0])), indexes: indexes[0] },
    { centroid: meanVector(pick(vectors, indexes[1])), indexes: indexes[1] },
  ];
}

/** Assigns each vector to the nearer centroid. If all go to one, halves them by position. */
function assign(
  vectors: readonly Embedding[],
  [a, b]: readonly [Embedding, Embedding],
): [number[], number[]] {
  const clusters: [number[], number[]] = [[], []];
  for (const [index, vector] of vectors.entries()) {
    clusters[dotProduct(vector, a) >= dotProduct(vector, b) ? 0 : 1].push(index);
  }
  if (clusters[0].length > 0 && clusters[1].length > 0) return clusters;
  const all = [...vectors.keys()];
  return [all.slice(0, all.length >> 1), all.slice(all.length >> 1)];
}

function farthest(vectors: readonly Embedding[], from: Embedding): Embedding {
  let found = vectors[0] as Embedding;
  let least = Number.POSITIVE_INFINITY;
  for (const vector of vectors) {
    const cosine = dotProduct(vector, from);
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
