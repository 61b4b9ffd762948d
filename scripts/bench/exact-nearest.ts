/** The exact nearest documents of many queries, in one pass over the index. */
import {
  cosinesWithOwn,
  dequantizeOwn,
  type OwnVector,
  ownVectorOf,
} from '../../src/index/dense/embeddings.ts';
import { decodeForwardEntry } from '../../src/index/forward-index.ts';
import type { DocumentNumber, Embedding } from '../../src/types.ts';
import { dotProductsOf } from '../../src/vectors/dot-products.ts';
import { keepBest } from '../../src/vectors/keep-best.ts';
import { quantize, quantizedBytes } from '../../src/vectors/quantization.ts';
import type { IndexAccess } from './index-access.ts';

/** Returns the nearest documents of each query, the nearest first. */
export function findExactNearest(
  { db }: Pick<IndexAccess, 'db'>,
  queries: readonly Embedding[],
  limit: number,
): DocumentNumber[][] {
  const dimensions = queries[0]?.length ?? 0;
  const stored = queries.map(quantizeOwn);
  const best = queries.map(() => keepBest(limit));
  const rows = db.prepare('SELECT document, packed FROM signals').iterate() as Iterable<{
    document: DocumentNumber;
    packed: Buffer;
  }>;
  for (const { document, packed } of rows) {
    const own = ownVectorOf(decodeForwardEntry(packed).vectors, dimensions);
    // The queries stand for documents here, so that one call compares all of them.
    const cosines = cosinesWithOwn(dotProductsOf(dequantizeOwn(own)), stored);
    for (const [query, one] of best.entries()) one.add(document, cosines[query] as number);
  }
  return best.map((one) => one.items().map(({ item }) => item));
}

function quantizeOwn(vector: Embedding): OwnVector {
  const bytes = new Uint8Array(quantizedBytes(vector.length, 8));
  const factor = quantize(vector, 8, bytes, 0);
  return { bytes, factor, dimensions: vector.length };
}
