/**
 * The nearest vectors. HNSW finds them (Malkov and Yashunin, "Efficient and robust approximate nearest
 * neighbor search using Hierarchical Navigable Small World graphs", 2018), in each partition by an index
 * of its own. Numbers and scores leave the database, never vectors.
 *
 * An index of 16 bits per component orders as the vectors do. One of single bits finds more than are
 * wanted, which the vectors themselves then put in order.
 */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { DocumentNumber, Embedding, Ranking } from '../../types.ts';
import type { AllowedRows } from './allowed-rows.ts';
import { conditionsOf } from './allowed-rows.ts';

/** How many times the wanted documents an index of bits must find. */
const BIT_FACTOR = 4;
/** Digits of a component, which has 16 bits in the database. */
const DIGITS = 5;

export interface NearestOptions {
  vectorIndex: 'halfvec' | 'bit';
  dimensions: number;
  most: number;
  /** Whether the index is so small that all vectors are compared. */
  isExact: boolean;
  allowed: AllowedRows | undefined;
}

/** Encodes a vector as PostgreSQL reads one. */
export function vectorText(vector: Embedding): string {
  return `[${Array.from(vector, (component) => component.toPrecision(DIGITS)).join()}]`;
}

/** The cosine as a number of 32 bits, which it is, and which has half the digits of one of 64. */
function cosineWith(vector: string, query: string): string {
  return `(-(${vector} <#> ${query}))::real`;
}

/** The nearest documents, the best first. The score is the cosine. */
export async function readNearest(
  { query }: Queries,
  vector: string,
  options: NearestOptions,
): Promise<Ranking> {
  const { allowed } = options;
  const { joins, conditions, values } = conditionsOf(allowed, 2);
  const where = conditions === '' ? '' : `WHERE ${conditions}`;
  const statement = nearestStatement(options, `FROM vectors v ${joins} ${where}`);
  const found = await query<Ranking[number]>(statement, [vector, ...values]);
  // Several servers find as many each.
  return found.sort((a, b) => b.score - a.score).slice(0, options.most);
}

/** The statement over these rows. The limits are part of it, because they decide its plan. */
function nearestStatement(
  { vectorIndex, dimensions, most, isExact }: Omit<NearestOptions, 'allowed'>,
  rows: string,
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

/** The cosines of single documents, without those that do not exist. */
export function readScores(
  { query }: Queries,
  vector: string,
  documents: readonly DocumentNumber[],
): Promise<Ranking> {
  return query<Ranking[number]>(
    `SELECT document, ${cosineWith('own', '$1::halfvec')} AS score FROM vectors
     WHERE document = ANY($2::integer[])`,
    [vector, documents],
  );
}
