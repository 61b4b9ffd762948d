/** Pools a model's output into one vector per text. Pure. */
import type { Embedding } from '../../types.ts';
import type { Pooling } from './manifest.ts';

export interface PoolOptions {
  /** [texts × tokens]: 1 for a token of the text, 0 for padding. */
  mask: Int32Array;
  texts: number;
  tokens: number;
  dimensions: number;
  pooling: Pooling;
}

/**
 * With `graph` pooling the output is [texts × dimensions] and is only split into rows. Otherwise it
 * is [texts × tokens × dimensions], of which it takes the mean over the tokens, or the first or last one.
 */
export function pool(output: Float32Array, options: PoolOptions): Embedding[] {
  const { texts, tokens, dimensions, pooling, mask } = options;
  return Array.from({ length: texts }, (_, text) => {
    if (pooling === 'graph') {
      return output.slice(text * dimensions, (text + 1) * dimensions);
    }
    const first = text * tokens * dimensions;
    if (pooling === 'cls') return output.slice(first, first + dimensions);
    if (pooling === 'last') {
      const row = mask.subarray(text * tokens, (text + 1) * tokens);
      const last = first + Math.max(0, row.lastIndexOf(1)) * dimensions;
      return output.slice(last, last + dimensions);
    }
    const sum = new Float32Array(dimensions);
    let counted = 0;
    for (let token = 0; token < tokens; token++) {
      if (mask[text * tokens + token] === 0) continue;
      counted++;
      for (let i = 0; i < dimensions; i++) {
        sum[i] = (sum[i] as number) + (output[first + token * dimensions + i] as number);
      }
    }
    return sum.map((component) => component / counted);
  });
}

/** Scales a vector to unit length in place and returns it. A zero vector stays zero. */
export function normalize(vector: Float32Array): Embedding {
  let sum = 0;
  for (const component of vector) sum += component * component;
  const length = Math.sqrt(sum);
  if (length > 0)
    for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] as number) / length;
  return vector;
}
