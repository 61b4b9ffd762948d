/**
 * Documents that are like the real ones without being them: sentences of other papers in place of
 * some of their own, a title of two halves, vectors moved a little. Pure.
 */
import { normalize } from '../../src/embed/pool-tokens.ts';
import type { Embedding, SentenceSpan } from '../../src/types.ts';
import type { Random } from './random.ts';

/** One in so many sentences is another paper's: enough to differ, few enough to keep the topic. */
const SWAPPED_ONE_IN = 3;
/** Length of the noise added to a unit vector; its cosine with the original becomes 0.9. */
const NOISE_LENGTH = 0.5;

/** The items with some of them, about a third, replaced by others. */
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

/** The first half of one title's words and the second half of another's. */
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

/** One text of sentences, and where they stand in it. */
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

/** A unit vector near to the sum of the given ones. */
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
