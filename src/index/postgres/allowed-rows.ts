/** Filters as conditions on rows. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { Value } from '../../database/sql/sql.ts';
import { wantedAuthorKeys } from '../../identity/author-keys.ts';
import type { DocumentNumber } from '../../types.ts';
import {
  type AllowedDocuments,
  type FacetFilter,
  firstWordTest,
  LAST_CHARACTER,
} from '../facets/allowed-documents.ts';
import { venueKey } from '../facets/facets.ts';

/** The documents to which a search is limited. */
export interface AllowedRows extends AllowedDocuments {
  filter: FacetFilter;
  /** The documents themselves, if they are few. */
  few: readonly DocumentNumber[] | undefined;
}

export interface Conditions {
  /** What a statement over `v`, with the columns `shard` and `document`, must join. */
  joins: string;
  /** '' for none. */
  conditions: string;
  values: Value[];
}

/** The conditions of a filter. `first` is the number of the first parameter. */
export function conditionsOf(allowed: AllowedRows | undefined, first: number): Conditions {
  if (allowed === undefined) return { joins: '', conditions: '', values: [] };
  if (allowed.few !== undefined) {
    const conditions = `v.document = ANY($${first}::integer[])`;
    return { joins: '', conditions, values: [allowed.few] };
  }
  return {
    joins: 'JOIN document_facets f ON f.shard = v.shard AND f.document = v.document',
    ...facetConditions(allowed.filter, first),
  };
}

/** The same over `f`, the facets. */
function facetConditions(
  filter: FacetFilter,
  first: number,
): Pick<Conditions, 'conditions' | 'values'> {
  const values: Value[] = [];
  const add = (value: Value): string => `$${first + values.push(value) - 1}`;
  const { mask, set, from, to } = firstWordTest(filter);
  const all = [`(f.flags & ${mask}) = ${set}`];
  if (filter.years !== undefined) {
    all.push(`f.year BETWEEN ${add(from)}::integer AND ${add(to)}::integer`);
  }
  if (filter.types !== undefined) {
    const { types } = firstWordTest(filter);
    const numbers = [...types.keys()].filter((number) => types[number] === 1);
    all.push(`f.type = ANY(${add(numbers)}::integer[])`);
  }
  if (filter.venues !== undefined) {
    const keys = filter.venues.map(venueKey).filter((key) => key !== 0);
    all.push(`f.venue = ANY(${add(keys.map((key) => key | 0))}::integer[])`);
  }
  if (filter.minCitations !== undefined) {
    all.push(`f.citations >= ${add(filter.minCitations)}::integer`);
  }
  if (filter.documents !== undefined) {
    all.push(`f.document = ANY(${add(filter.documents)}::integer[])`);
  }
  if (filter.authors !== undefined) {
    all.push(`(f.shard, f.document) IN (SELECT a.shard, a.document FROM author_keys a
      WHERE a.key = ANY(${add(wantedAuthorKeys(filter.authors))}::bigint[]))`);
  }
  if (filter.doiPrefixes !== undefined) {
    const ends = filter.doiPrefixes.map((prefix) => prefix + LAST_CHARACTER);
    all.push(`(f.shard, f.document) IN (SELECT d.shard, d.number
      FROM unnest(${add(filter.doiPrefixes)}::text[], ${add(ends)}::text[]) AS p (first, last)
      JOIN documents d ON d.id >= p.first AND d.id < p.last)`);
  }
  if (filter.sources !== undefined) {
    const { bits, personal } = filter.sources;
    all.push(`((f.sources & ${add(bits | 0)}::integer) <> 0 OR f.document IN (
      SELECT r.document FROM source_records r
      WHERE r.source = ANY(${add(personal)}::text[]) AND r.source LIKE 'personal %'
        AND r.document > 0))`);
  }
  return { conditions: all.join(' AND '), values };
}

/** Counts what a filter allows, and reads the documents if they are at most `fewMax`. */
export async function readAllowedRows(
  { query }: Queries,
  filter: FacetFilter,
  { documents, fewMax }: { documents: number; fewMax: number },
): Promise<AllowedRows> {
  const { conditions, values } = facetConditions(filter, 1);
  const from = `FROM document_facets f WHERE ${conditions}`;
  const some = await query<{ document: DocumentNumber }>(
    `SELECT f.document ${from} LIMIT ${fewMax + 1}`,
    values,
  );
  const isFew = some.length <= fewMax;
  const count = isFew ? some.length : await countRows({ query }, from, values);
  return {
    filter,
    few: isFew ? some.map(({ document }) => document).sort((a, b) => a - b) : undefined,
    count,
    share: Math.max(1, count) / Math.max(1, documents),
  };
}

async function countRows({ query }: Queries, from: string, values: Value[]): Promise<number> {
  const rows = await query<{ count: number }>(`SELECT count(*) AS count ${from}`, values);
  return rows.reduce((sum, { count }) => sum + count, 0);
}

/** Returns those of the documents that are allowed. */
export async function readAmongAllowed(
  { query }: Queries,
  documents: readonly DocumentNumber[],
  { filter, few }: AllowedRows,
): Promise<ReadonlySet<DocumentNumber>> {
  if (few !== undefined) return new Set(few);
  const { conditions, values } = facetConditions(filter, 2);
  const rows = await query<{ document: DocumentNumber }>(
    `SELECT f.document FROM document_facets f
     WHERE f.document = ANY($1::integer[]) AND ${conditions}`,
    [documents, ...values],
  );
  return new Set(rows.map(({ document }) => document));
}
