/**
 * The nearest vectors. HNSW finds them (Malkov and Yashunin, "Efficient and robust approximate nearest
 * neighbor search using Hierarchical Navigable Small World graphs", 2018), in each partition by an index
 * of its own. Numbers and scores leave the database, never vectors.
 *
 * An index of 16 bits per component orders as the vectors do. One of single bits finds more than are
 * wanted, which the vectors themselves then put in order.
 */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { Embedding, Ranking } from '../../types.ts';
import type { DenseMatches, DenseQuery } from '../ports/index-source.ts';
import { type AllowedRows, conditionsOf } from './allowed-rows.ts';
import type { IndexFacts } from './facts.ts';

/** How many times the wanted documents an index of bits must find. */
const BIT_FACTOR = 4;
/** Digits of a component, which has 16 bits in the database. */
const DIGITS = 5;

/** Finds the nearest documents, with the scores that pruning needs. The score is the cosine. */
export async function findNearest(
  { query }: Queries,
  { vector, most, documents, allowed }: DenseQuery,
  { vectorIndex, isExact }: Pick<IndexFacts, 'vectorIndex'> & { isExact: boolean },
): Promise<DenseMatches> {
  const asked = vectorText(vector);
  const rows = allowed as AllowedRows | undefined;
  const { joins, conditions, values } = conditionsOf(rows, 2);
  const where = conditions === '' ? '' : `WHERE ${conditions}`;
  const statement = nearestStatement(`FROM vectors v ${joins} ${where}`, {
    vectorIndex,
    dimensions: vector.length,
    most,
    isExact: isExact || rows?.few !== undefined,
  });
  const found = await query<Ranking[number]>(statement, [asked, ...values]);
  // Several servers find as many each.
  const nearest = found.sort((a, b) => b.score - a.score).slice(0, most);
  const known = new Map(nearest.map(({ document, score }) => [document, score]));
  // Whatever was not found is further away than the last that was.
  const guess = nearest.length < most ? 0 : (nearest.at(-1)?.score ?? 0);
  const scores = Float32Array.from(documents, (document) => known.get(document) ?? guess);
  const unknown = [...documents.keys()].filter((at) => !known.has(documents[at] as number));
  return {
    nearest,
    scores: { scores, unknown: Uint32Array.from(unknown) },
    async scoresIn(wanted) {
      if (wanted.length === 0) return new Float32Array(0);
      const read = await query<Ranking[number]>(
        `SELECT document, ${cosineWith('own', '$1::halfvec')} AS score FROM vectors
         WHERE document = ANY($2::integer[])`,
        [asked, wanted],
      );
      const scoreOf = new Map(read.map(({ document, score }) => [document, score]));
      return Float32Array.from(wanted, (document) => scoreOf.get(document) ?? Number.NaN);
    },
  };
}

/** Encodes a vector as PostgreSQL reads one. */
export function vectorText(vector: Embedding): string {
  return `[${Array.from(vector, (component) => component.toPrecision(DIGITS)).join()}]`;
}

/** The cosine as a number of 32 bits, which it is, and which has half the digits of one of 64. */
function cosineWith(vector: string, query: string): string {
  return `(-(${vector} <#> ${query}))::real`;
}

/** The statement over these rows. The limits are part of it, because they decide its plan. */
function nearestStatement(
  rows: string,
  {
    vectorIndex,
    dimensions,
    most,
    isExact,
  }: { vectorIndex: 'halfvec' | 'bit'; dimensions: number; most: number; isExact: boolean },
): string {
  const query = `$1::halfvec(${dimensions})`;
  const scored = `v.document, ${cosineWith('v.own', query)} AS score`;
  // Added to a number, the distance is not one that an index could order by.
  if (isExact) {
    return `SELECT ${scored} ${rows} ORDER BY (v.own <#> ${query}) + 0, v.document LIMIT ${most}`;
  }
  if (vectorIndex === 'halfvec') {
    return `SELECT ${scored} ${rows} ORDER BY v.own <#> ${query} LIMIT ${most}`;
  }
  const bits = (value: string): string => `binary_quantize(${value})::bit(${dimensions})`;
  return `SELECT ${scored}
    FROM (SELECT v.document, v.own ${rows}
          ORDER BY ${bits('v.own')} <~> ${bits(query)} LIMIT ${BIT_FACTOR * most}) v
    ORDER BY v.own <#> ${query}, v.document LIMIT ${most}`;
}
