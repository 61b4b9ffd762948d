/**
 * Synthetic documents that resemble real ones: some sentences come from other papers, a title has
 * halves of two titles, and vectors are slightly moved. Pure.
 */
import { normalize } from '../../src/text/embed/pool-tokens.ts';
import type { Embedding, SentenceSpan } from '../../src/types.ts';
import type { Random } from './random.ts';

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
  const [first, second] = [one, other].map((title) => title.trim().split(/\s+/)) as [
    string[],
    string[],
  ];
  return [
    ...first.slice(0, Math.ceil(first.length / 2)),
    ...second.slice(Math.ceil(second.length / 2)),
  ].join(' ');
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
  const noise = normalize(
    Float32Array.from({ length: vectors[0]?.length ?? 0 }, () => random.unit() - 0.5),
  );
  const sum = new Float32Array(noise.length);
  for (const vector of vectors) {
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] as number) + (vector[i] as number);
  }
  normalize(sum);
  for (let i = 0; i < sum.length; i++) {
    sum[i] = (sum[i] as number) + NOISE_LENGTH * (noise[i] as number);
  }
  return normalize(sum);
}
