/**
 * Synthetic documents that resemble real ones: some sentences come from other papers, a title has
 * halves of two titles, and vectors are slightly moved. Pure.
 */
import { normalize } from '../../src/text/embed/pool-tokens.ts';
import type { Embedding, SentenceSpan } from '../../src/types.ts';
import type { Random } from '../measure/random.ts';

/** One in so many sentences is another paper's. This keeps the topic but makes a different text. */
const SWAPPED_ONE_IN = 3;
/** The length of the noise that is added to a unit vector. The cosine with the original is 0.9. */
const NOISE_LENGTH = 0.5;

/** Returns the items with about a third of them replaced by others. */
export function swapSome<Item>(
  own: readonly Item[],
  others: readonly Item[],
  random: Random,
): Item[] {
  return own.map((item) => {
    if (others.length === 0 || random.below(SWAPPED_ONE_IN) > 0) return item;
    return others[random.below(others.length)] as Item;
  });
}

/** Joins the first half of one title's words and the second half of another's. */
export function mixTitles(one: string, other: string): string {
  const halves = [one, other].map((title, half) => {
    const words = title.trim().split(/\s+/);
    const middle = Math.ceil(words.length / 2);
    return half === 0 ? words.slice(0, middle) : words.slice(middle);
  });
  return halves.flat().join(' ');
}

/** Joins sentences to a text, and returns their spans in it. */
export function joinSentences(sentences: readonly string[]): {
  abstract: string;
  spans: SentenceSpan[];
} {
  let end = -1;
  const spans = sentences.map((sentence) => {
    const start = end + 1;
    end = start + sentence.length;
    return { start, end };
  });
  return { abstract: sentences.join(' '), spans };
}

/** Returns a unit vector near the sum of the given ones. */
export function perturb(vectors: readonly Embedding[], random: Random): Embedding {
  const length = vectors[0]?.length ?? 0;
  const noise = normalize(Float32Array.from({ length }, () => random.unit() - 0.5));
  const sum = new Float32Array(length);
  const add = (vector: Embedding, factor: number): void => {
    for (let i = 0; i < length; i++) sum[i] = (sum[i] as number) + factor * (vector[i] as number);
  };
  for (const vector of vectors) add(vector, 1);
  normalize(sum);
  add(noise, NOISE_LENGTH);
  return normalize(sum);
}
