/**
 * Late interaction (Khattab and Zaharia, "ColBERT", 2020): each word of the query is compared with
 * each term of a document, and the best similarities are summed. The query's words are embedded in
 * their context. Documents have no vectors of their own for this: their terms take the model's term
 * embeddings, so an index needs nothing more than its terms.
 */

import { findTerm, type TermVector, termAt } from '../index/lexical/term-vectors.ts';
import { normalize } from '../text/embed/pool-tokens.ts';
import type { TermEmbeddings } from '../text/embed/term-embeddings.ts';
import type { WordEmbedding } from '../text/embed/word-embeddings.ts';
import { type Term, termsOfWord } from '../text/terms.ts';
import type { Embedding } from '../types.ts';
import { createBlock, dotProductsOf } from '../vectors/dot-products.ts';
import type { WeightedQuery } from './weight-query.ts';

/**
 * What a term without an embedding counts if both texts have it. A term with one is worth 0.85 on average
 * if the document has it, and 0.45 for the nearest other term if not, so this is the difference.
 */
export const EXACT_MATCH = 0.4;

/** Scores documents by their terms: one number for each, at most 1, in their order. */
export type LateInteraction = (documents: readonly TermVector[]) => number[];

/**
 * Prepares the comparison with a query, whose terms count by their shares. Returns undefined if none of
 * its words has an embedding.
 */
export type LateInteractionWith = (
  query: WeightedQuery,
  words: readonly WordEmbedding[],
) => LateInteraction | undefined;

/** For one thread: its comparisons share their memory, because a search has thousands of terms. */
export function createLateInteraction(table: TermEmbeddings): LateInteractionWith {
  const collectTerms = createCollector(table);
  return (query, words) => {
    const embeddings = embeddingsByTerm(words);
    const terms = query.terms.map(({ term, share }) => ({
      term,
      share,
      embedding: embeddings.get(term),
      isInTable: table.rowOf(term) >= 0,
    }));
    if (terms.every(({ embedding }) => embedding === undefined)) return undefined;
    return (documents) => {
      const collected = collectTerms(documents);
      const { codes, count } = collected;
      const block = createBlock(codes);
      const layout = { block, start: 0, stride: table.dimensions, count, bits: 8 } as const;
      const scores = documents.map(() => 0);
      for (const { term, share, embedding, isInTable } of terms) {
        const products = embedding && dotProductsOf(embedding).with(layout);
        for (const [at, document] of documents.entries()) {
          const nearest = products ? largestOf(products, collected, at) * table.scale : 0;
          const exact = isInTable || findTerm(document, term) < 0 ? 0 : EXACT_MATCH;
          scores[at] = (scores[at] as number) + share * Math.max(nearest, exact);
        }
      }
      return scores;
    };
  };
}

/** The largest product with a term of a document, 0 at least. */
function largestOf(
  products: Float64Array,
  { positions, ends }: CollectedTerms,
  document: number,
): number {
  const end = ends[document] as number;
  let largest = 0;
  for (let i = document === 0 ? 0 : (ends[document - 1] as number); i < end; i++) {
    const product = products[positions[i] as number] as number;
    if (product > largest) largest = product;
  }
  return largest;
}

/** The embedding of each term: the mean direction of its words. */
function embeddingsByTerm(words: readonly WordEmbedding[]): Map<Term, Embedding> {
  const embeddings = new Map<Term, Embedding>();
  for (const { word, embedding } of words) {
    for (const term of termsOfWord(word)) {
      const sum = embeddings.get(term);
      if (sum === undefined) embeddings.set(term, embedding.slice());
      else for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (embedding[i] ?? 0);
    }
  }
  for (const sum of embeddings.values()) normalize(sum);
  return embeddings;
}

interface CollectedTerms {
  /** The embeddings of the distinct terms of all documents [count × dimensions]. */
  codes: Uint8Array;
  count: number;
  /** The positions of the terms of each document among them, one document after the other. */
  positions: Int32Array;
  /** Where the positions of each document end. */
  ends: number[];
}

/** Returns a function whose result is valid until its next call. */
function createCollector(
  table: TermEmbeddings,
): (documents: readonly TermVector[]) => CollectedTerms {
  const words = table.dimensions / Int32Array.BYTES_PER_ELEMENT;
  // Codes are copied four at a time.
  const all = new Int32Array(table.codes.buffer);
  /** One more than the position of a row, or 0. */
  const positionOf = new Int32Array(table.size);
  const rows = new Int32Array(table.size);
  const gathered = growing();
  const known = growing();
  return (documents) => {
    const positions = known(documents.reduce((sum, { size }) => sum + size, 0));
    let count = 0;
    let end = 0;
    const ends = documents.map((document) => {
      for (let at = 0; at < document.size; at++) {
        const row = table.rowOf(termAt(document, at));
        if (row < 0) continue;
        if (positionOf[row] === 0) {
          rows[count++] = row;
          positionOf[row] = count;
        }
        positions[end++] = (positionOf[row] as number) - 1;
      }
      return end;
    });
    const codes = gathered(count * words);
    for (let at = 0; at < count; at++) {
      const row = rows[at] as number;
      positionOf[row] = 0;
      for (let i = 0; i < words; i++) codes[at * words + i] = all[row * words + i] as number;
    }
    return {
      codes: new Uint8Array(codes.buffer, 0, count * table.dimensions),
      count,
      positions,
      ends,
    };
  };
}

/** Returns a function that gives the same array again, or a larger one. */
function growing(): (length: number) => Int32Array {
  let array = new Int32Array(0);
  return (length) => {
    if (array.length < length) array = new Int32Array(2 * length);
    return array;
  };
}
