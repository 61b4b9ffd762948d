/**
 * Derives a document's own vector from the vectors of its title and sentences, so that one
 * embedding pass over short texts serves both. Measured on SciFact: recall and ranking are as good
 * as with a separate pass over title and abstract.
 */
import type { Embedding } from '../../types.ts';
import { normalize } from './pool-tokens.ts';

export const TITLE_SHARE = 0.3;

/**
 * Returns normalize(0.7 · mean of the sentences + 0.3 · title). Without sentences this is the
 * title's vector, without a title the mean of the sentences.
 */
export function documentVector(
  title: Embedding | undefined,
  sentences: readonly Embedding[],
): Embedding {
  const first = title ?? sentences[0];
  if (first === undefined) throw new Error('a document must have a title or a sentence');
  const sum = new Float32Array(first.length);
  if (title !== undefined) addTo(sum, title, TITLE_SHARE);
  for (const sentence of sentences) addTo(sum, sentence, (1 - TITLE_SHARE) / sentences.length);
  return normalize(sum);
}

function addTo(sum: Float32Array, vector: Embedding, share: number): void {
  for (let i = 0; i < sum.length; i++) {
    sum[i] = (sum[i] as number) + share * (vector[i] as number);
  }
}
