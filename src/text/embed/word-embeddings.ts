/** Joins the tokens of a query to words. Pure. */
import type { Embedding } from '../../types.ts';
import { normalize } from './pool-tokens.ts';

/** A word of a query, with the meaning that it has there. */
export interface WordEmbedding {
  /** In lower case and without accents, as the tokenizer has it. */
  word: string;
  /** Of unit length, in the dimensions of the model's term embeddings. */
  embedding: Embedding;
}

/** A token that goes on with the word of the token before it (WordPiece). */
const CONTINUED = '##';

/**
 * Returns the words of a text, each with the mean of its tokens' vectors. `vectors` is
 * [tokens × dimensions]. Special tokens and punctuation are words too; no term is like them.
 */
export function embedWords(
  tokens: readonly string[],
  vectors: Float32Array,
  dimensions: number,
): WordEmbedding[] {
  const words: WordEmbedding[] = [];
  for (const [at, token] of tokens.entries()) {
    const vector = vectors.subarray(at * dimensions, (at + 1) * dimensions);
    const last = words.at(-1);
    if (token.startsWith(CONTINUED) && last !== undefined) {
      last.word += token.slice(CONTINUED.length);
      // A loop takes a fraction of the time of `entries()`.
      for (let i = 0; i < dimensions; i++) {
        last.embedding[i] = (last.embedding[i] as number) + (vector[i] as number);
      }
    } else {
      words.push({ word: token, embedding: vector.slice() });
    }
  }
  // Normalizing makes the division by the number of tokens unnecessary.
  for (const { embedding } of words) normalize(embedding);
  return words;
}
