/** The mean of vectors of the same length, at unit length. Pure. */
import type { Embedding } from '../types.ts';

/** Returns a zero vector if the vectors cancel each other out. */
export function meanVector(vectors: readonly Embedding[]): Embedding {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + (vector[i] as number);
  }
  let squares = 0;
  for (const component of sum) squares += component * component;
  const length = Math.sqrt(squares);
  return length === 0 ? sum : sum.map((component) => component / length);
}
