/** Products of vectors with 32-bit components. Pure. */
import type { Embedding } from '../types.ts';

/** Returns the dot product: of unit vectors, their cosine. What the second one lacks counts as 0. */
export function dotProduct(a: Embedding, b: Embedding): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] ?? 0);
  return sum;
}
