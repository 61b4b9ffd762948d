/**
 * Late interaction (Khattab and Zaharia, "ColBERT", 2020): each word of the query is compared with
 * each term of a document, and the best similarities are summed. The query's words are embedded in
 * their context. Documents have no vectors of their own for this: their terms take the model's term
 * embeddings, so an index needs nothing more than its terms.
 */
import { normalize } from '../embed/pool-tokens.ts';
import type { TermEmbeddings } from '../embed/term-embeddings.ts';
import type { WordEmbedding } from '../embed/word-embeddings.ts';
import { findTerm, type TermVector, termAt } from '../store/index/lexical/term-vectors.ts';
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
 * Prepares the comparison with a query, whose terms count by their shares. Undefined if none of its
 * words has an embedding.
 */
export function createLateInteraction(
  query: WeightedQuery,
  words: readonly WordEmbedding[],
  table: TermEmbeddings,
): LateInteraction | undefined {
  const embeddings = embeddingsByTerm(words);
  const terms = query.terms.map(({ term, share }) => ({
    term,
    share,
    embedding: embeddings.get(term),
    isInTable: table.rowOf(term) >= 0,
  }));
  if (terms.every(({ embedding }) => embedding === undefined)) return undefined;
  return (documents) => {
    const { codes, count, places } = collectTerms(documents, table);
    const block = createBlock(codes);
    const layout = { block, start: 0, stride: table.dimensions, count, bits: 8 } as const;
    const scores = documents.map(() => 0);
    for (const { term, share, embedding, isInTable } of terms) {
      const products = embedding && dotProductsOf(embedding).with(layout);
      for (const [at, document] of documents.entries()) {
        const nearest = products ? largestAt(products, places[at] as Int32Array) * table.scale : 0;
        const exact = isInTable || findTerm(document, term) < 0 ? 0 : EXACT_MATCH;
        scores[at] = (scores[at] as number) + share * Math.max(nearest, exact);
      }
    }
    return scores;
  };
}

/** The largest of the values at these places, 0 at least. */
function largestAt(values: Float64Array, places: Int32Array): number {
  let largest = 0;
  for (let i = 0; i < places.length; i++) {
    const value = values[places[i] as number] as number;
    if (value > largest) largest = value;
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
  /** For each document, the places of its terms among them. */
  places: Int32Array[];
}

/** Typed arrays, because a search has thousands of terms. */
function collectTerms(documents: readonly TermVector[], table: TermEmbeddings): CollectedTerms {
  const rows = new Int32Array(documents.reduce((sum, { size }) => sum + size, 0));
  /** One more than the place of a row, or 0. */
  const placeOf = new Int32Array(table.size);
  let count = 0;
  const places = documents.map((document) => {
    const own = new Int32Array(document.size);
    let known = 0;
    for (let at = 0; at < document.size; at++) {
      const row = table.rowOf(termAt(document, at));
      if (row < 0) continue;
      if (placeOf[row] === 0) {
        rows[count++] = row;
        placeOf[row] = count;
      }
      own[known++] = (placeOf[row] as number) - 1;
    }
    return own.subarray(0, known);
  });
  return { codes: gather(table, rows.subarray(0, count)), count, places };
}

/** Copies rows of the table, four codes at a time. */
function gather({ codes, dimensions }: TermEmbeddings, rows: Int32Array): Uint8Array {
  const words = dimensions / Int32Array.BYTES_PER_ELEMENT;
  const from = new Int32Array(codes.buffer);
  const gathered = new Int32Array(rows.length * words);
  for (let at = 0; at < rows.length; at++) {
    const first = (rows[at] as number) * words;
    for (let i = 0; i < words; i++) gathered[at * words + i] = from[first + i] as number;
  }
  return new Uint8Array(gathered.buffer);
}
