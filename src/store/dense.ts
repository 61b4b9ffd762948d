/**
 * Dense retrieval. sqlite-vec compares one bit a dimension (hamming distance) over all documents,
 * which is ten times as fast as comparing the vectors, and the nearest are then ranked exactly.
 */
import type { Embedding, Ranking } from '../types.ts';
import { toFloatBlob } from './embeddings.ts';
import type { Store } from './open.ts';

export interface DenseRetriever {
  /** The documents nearest to the query by their signatures; the score is 1 - distance / bits. */
  retrieve(query: Embedding, limit: number): Ranking;
}

export function createDenseRetriever(db: Store): DenseRetriever {
  const quantize = db.prepare('SELECT vec_quantize_binary(?)').pluck();
  const scan = db.prepare(
    `SELECT document, vec_distance_hamming(vec_bit(bits), vec_bit(?)) AS distance
     FROM signatures ORDER BY distance, document LIMIT ?`,
  );
  return {
    retrieve(query, limit) {
      const rows = scan.all(quantize.get(toFloatBlob(query)), limit) as {
        document: number;
        distance: number;
      }[];
      return rows.map(({ document, distance }) => ({
        document,
        score: 1 - distance / query.length,
      }));
    },
  };
}
