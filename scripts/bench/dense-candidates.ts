/**
 * The dense candidates of a search, and the exact nearest documents to compare them with. Adapt
 * this file when src/store changes.
 */
import { readSettings } from '../../src/config.ts';
import { createDenseRetriever } from '../../src/store/index/dense/dense-retrieval.ts';
import type { DocumentNumber, Embedding, Ranking } from '../../src/types.ts';
import type { IndexAccess } from './index-access.ts';

export interface DenseComparison {
  denseCandidates(vector: Embedding): DocumentNumber[];
  exactNearest(vector: Embedding, limit: number): DocumentNumber[];
}

/** `dimensions` are those of the model. */
export function createDenseComparison(
  { db }: Pick<IndexAccess, 'db'>,
  dimensions: number,
): DenseComparison {
  const settings = readSettings();
  const dense = createDenseRetriever(db, dimensions, settings);
  return {
    denseCandidates: (vector) =>
      numbersOf(dense.retrieve(vector, settings.denseCandidatesMax).nearest),
    exactNearest: (vector, limit) => numbersOf(dense.scan(vector, limit)),
  };
}

function numbersOf(ranking: Ranking): DocumentNumber[] {
  return ranking.map(({ document }) => document);
}
