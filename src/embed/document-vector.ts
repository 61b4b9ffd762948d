/**
 * The vector of a whole document, derived from those of its title and sentences: one embedding
 * pass over short texts serves both. Measured on SciFact: recalls and ranks as well as a pass over
 * title and abstract together.
 */
import type { Embedding } from '../types.ts';
import { normalize } from './pool-tokens.ts';

const TITLE_SHARE = 0.3;

/**
 * normalize(0.7 · mean of the sentences + 0.3 · title). Without sentences it is the title's vector,
 * without a title the sentences' mean.
 */
export function documentVector(
  title: Embedding | undefined,
  sentences: readonly Embedding[],
): Embedding {
  const first = title ?? sentences[0];
  if (first === undefined) throw new Error('a document has a title or a sentence');
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
