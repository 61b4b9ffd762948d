/** Document frequencies, and the documents that have a term. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { Term } from '../../text/terms.ts';
import type { DocumentNumber } from '../../types.ts';
import { decodeBlock } from '../lexical/postings.ts';

/** The document frequencies of terms. Those that no document has are absent. */
export async function readFrequencies(
  { query }: Queries,
  terms: readonly Term[],
): Promise<ReadonlyMap<Term, number>> {
  const rows = await query<{ term: number; documents: number }>(
    'SELECT term, documents FROM term_counts WHERE term = ANY($1::integer[])',
    [terms.map(signed)],
  );
  return new Map(rows.map(({ term, documents }) => [term >>> 0, documents]));
}

export interface PostingsOptions {
  /** The last document that the postings name. Later ones have rows of terms. */
  indexedUpTo: DocumentNumber;
  /** The last document of all. */
  lastDocument: DocumentNumber;
  /** Documents to read of each term: the first ones, and as many of the later ones. */
  most: number;
  laterMax: number;
}

interface PostingsRow {
  term: number;
  /** Null for a document behind the watermark. */
  block: number | null;
  /** Base64, as for entries. */
  documents: string | null;
  document: DocumentNumber | null;
}

/**
 * Blocks of a term are read until they have enough documents; a block of all partitions is read whole,
 * so that the first documents of the index are the same in any number of partitions.
 */
const BLOCKS_SQL = `
  SELECT term, block, encode(documents, 'base64') AS documents, NULL::integer AS document
  FROM (SELECT term, block, documents,
          sum(octet_length(documents)) OVER (PARTITION BY term ORDER BY block)
            - sum(octet_length(documents)) OVER (PARTITION BY term, block) AS before
        FROM postings WHERE term = ANY($1::integer[])) AS counted
  WHERE before < 2 * $2::bigint`;

/** The same, with the documents behind the watermark. */
const BLOCKS_AND_LATER_SQL = `${BLOCKS_SQL}
  UNION ALL
  SELECT wanted.term, NULL, NULL, later.document
  FROM unnest($1::integer[]) AS wanted (term) CROSS JOIN LATERAL (
    SELECT document FROM recent_terms
    WHERE terms @> ARRAY[wanted.term] AND document > $3::integer
    ORDER BY document LIMIT $4::integer) AS later`;

/** Returns the first documents that have each of the terms, ascending. */
export async function readPostings(
  { query }: Queries,
  terms: readonly Term[],
  { indexedUpTo, lastDocument, most, laterMax }: PostingsOptions,
): Promise<ReadonlyMap<Term, Uint32Array>> {
  if (terms.length === 0) return new Map();
  const wanted = [terms.map(signed), most];
  // Planning the look-up of later documents takes as long as reading the blocks.
  const rows =
    lastDocument > indexedUpTo
      ? await query<PostingsRow>(BLOCKS_AND_LATER_SQL, [...wanted, indexedUpTo, laterMax])
      : await query<PostingsRow>(BLOCKS_SQL, wanted);
  const found = new Map<Term, DocumentNumber[]>();
  for (const { term, block, documents, document } of rows) {
    const all = found.get(term >>> 0) ?? [];
    found.set(term >>> 0, all);
    if (document !== null) all.push(document);
    else if (block !== null && documents !== null) {
      // A block may name documents behind the watermark, which are among the later ones.
      const stored = { block, documents: Buffer.from(documents, 'base64') };
      for (const one of decodeBlock(stored)) if (one <= indexedUpTo) all.push(one);
    }
  }
  return new Map([...found].map(([term, all]) => [term, Uint32Array.from(all).sort()]));
}

/** A term as a signed number, which PostgreSQL stores. */
function signed(term: Term): number {
  return term | 0;
}
