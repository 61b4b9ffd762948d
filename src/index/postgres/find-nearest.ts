/** Dense retrieval on PostgreSQL, with the scores that pruning needs. */
import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { DenseMatches, DenseQuery } from '../ports/index-source.ts';
import type { AllowedRows } from './allowed-rows.ts';
import { type NearestOptions, readNearest, readScores, vectorText } from './dense.ts';

export type FindOptions = Pick<NearestOptions, 'vectorIndex' | 'dimensions' | 'isExact'>;

export async function findNearest(
  queries: Queries,
  { vector, most, documents, allowed }: DenseQuery,
  options: FindOptions,
): Promise<DenseMatches> {
  const query = vectorText(vector);
  const rows = allowed as AllowedRows | undefined;
  const isExact = options.isExact || rows?.few !== undefined;
  const nearest = await readNearest(queries, query, { ...options, isExact, most, allowed: rows });
  const known = new Map(nearest.map(({ document, score }) => [document, score]));
  // Whatever was not found is further away than the last that was.
  const guess = nearest.length < most ? 0 : (nearest.at(-1)?.score ?? 0);
  const scores = Float32Array.from(documents, (document) => known.get(document) ?? guess);
  const unknown = documents.reduce<number[]>((positions, document, at) => {
    if (!known.has(document)) positions.push(at);
    return positions;
  }, []);
  return {
    nearest,
    scores: { scores, unknown: Uint32Array.from(unknown) },
    async scoresIn(wanted) {
      if (wanted.length === 0) return new Float32Array(0);
      const read = await readScores(queries, query, wanted);
      const found = new Map(read.map(({ document, score }) => [document, score]));
      return Float32Array.from(wanted, (document) => found.get(document) ?? Number.NaN);
    },
  };
}
