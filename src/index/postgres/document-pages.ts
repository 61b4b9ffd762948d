/** Reads documents with what is derived from each, a page at a time. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { DocumentNumber } from '../../types.ts';

/** Documents in memory at a time: some megabytes. */
const PAGE = 500;

export interface VerifiedRow {
  shard: number;
  number: DocumentNumber;
  id: string;
  title: string;
  abstract: string;
  year: number;
  authors: string;
  venue: string;
  content_hash: Buffer;
  sentence_spans: Buffer;
  entry: Buffer | null;
  /** The own vector as text. */
  own: string | null;
  /** The terms behind the watermark. */
  recent: number[] | null;
  reason: string | null;
  /** The facets as in `Facets`. */
  facets: string[] | null;
}

/** Yields all documents, in the order of their numbers. */
export async function* documentPages({ query }: Queries): AsyncGenerator<VerifiedRow[]> {
  let last: DocumentNumber = 0;
  for (;;) {
    const page = await query<VerifiedRow>(
      `SELECT d.*, f.entry, v.own::text AS own, t.terms AS recent, w.reason,
         CASE WHEN x.document IS NOT NULL THEN ARRAY[
           x.year::bigint | (x.type::bigint << 16) | (x.flags::bigint << 24),
           x.venue::bigint & 4294967295, x.sources::bigint & 4294967295,
           x.language::bigint | (x.field::bigint << 16)]::text[] END AS facets
       FROM (SELECT * FROM documents WHERE number > $1 ORDER BY number LIMIT ${PAGE}) d
       LEFT JOIN forward_index f ON f.shard = d.shard AND f.document = d.number
       LEFT JOIN vectors v ON v.shard = d.shard AND v.document = d.number
       LEFT JOIN recent_terms t ON t.shard = d.shard AND t.document = d.number
       LEFT JOIN withheld_documents w ON w.shard = d.shard AND w.document = d.number
       LEFT JOIN document_facets x ON x.shard = d.shard AND x.document = d.number
       ORDER BY d.number`,
      [last],
    );
    if (page.length === 0) return;
    yield page;
    last = (page.at(-1) as VerifiedRow).number;
  }
}
