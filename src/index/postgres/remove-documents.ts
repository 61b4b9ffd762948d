/** Removes documents with all that is derived from them. Their records are removed before. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { DocumentNumber } from '../../types.ts';
import { allKeysOf } from '../documents/title-index.ts';
import { decodeForwardEntry } from '../forward-index.ts';
import { blockOf, without } from '../lexical/postings.ts';
import { decodeTermVector } from '../lexical/term-vectors.ts';
import { decodeSpans } from '../sentence-spans.ts';
import type { BatchCounts } from './batch-counts.ts';
import type { IndexFacts } from './facts.ts';
import { rowsAsTable } from './rows.ts';
import { storedTermsOf } from './stored-terms.ts';

/** The tables with rows of a document, and the column that names it. */
const TABLES = [
  ...(['forward_index', 'vectors', 'recent_terms', 'document_facets'] as const),
  ...(['withheld_documents'] as const),
];

export async function removeDocuments(
  queries: Queries,
  numbers: readonly DocumentNumber[],
  { facts, counts }: { facts: IndexFacts; counts: BatchCounts },
): Promise<void> {
  if (numbers.length === 0) return;
  const rows = await queries.query<{
    number: DocumentNumber;
    title: string;
    sentence_spans: Buffer;
    entry: Buffer;
  }>(
    `SELECT d.number, d.title, d.sentence_spans, f.entry
     FROM documents d JOIN forward_index f ON f.document = d.number AND f.shard = d.shard
     WHERE d.number = ANY ($1::integer[])`,
    [numbers],
  );
  const documents = rows.map((row) => ({
    ...row,
    terms: decodeTermVector(decodeForwardEntry(row.entry).terms),
  }));
  for (const { terms, sentence_spans } of documents) {
    counts.count(terms, decodeSpans(sentence_spans).length, -1);
  }
  const keys = documents.flatMap(({ number, title }) =>
    allKeysOf(title).map((key) => [key, number] as const),
  );
  const { table, values } = rowsAsTable({ key: 'bigint', document: 'integer' }, keys);
  await queries.query(
    `DELETE FROM title_keys k USING ${table} WHERE k.key = r.key AND k.document = r.document`,
    values,
  );
  const inPostings = documents.filter(({ number }) => number <= facts.indexedUpTo);
  for (const { number, terms } of inPostings) {
    await removeFromPostings(queries, { number, terms: storedTermsOf(terms), facts });
  }
  for (const table of TABLES) {
    await queries.query(`DELETE FROM ${table} WHERE document = ANY ($1::integer[])`, [numbers]);
  }
  await queries.query('DELETE FROM documents WHERE number = ANY ($1::integer[])', [numbers]);
}

async function removeFromPostings(
  { query }: Queries,
  {
    number,
    terms,
    facts: { shards },
  }: { number: DocumentNumber; terms: readonly number[]; facts: IndexFacts },
): Promise<void> {
  const [shard, block] = [number % shards, blockOf(number)];
  const rows = await query<{ term: number; documents: Buffer }>(
    'SELECT term, documents FROM postings WHERE term = ANY ($1::integer[]) AND block = $2 AND shard = $3',
    [terms, block, shard],
  );
  const kept = rows.map(
    ({ term, documents }) => [term, without(number, { block, documents })] as const,
  );
  const { table, values } = rowsAsTable({ term: 'integer', documents: 'bytea' }, kept);
  await query(
    `UPDATE postings p SET documents = r.documents FROM ${table}
     WHERE p.term = r.term AND p.block = $3 AND p.shard = $4`,
    [...values, block, shard],
  );
  await query(
    `DELETE FROM postings WHERE term = ANY ($1::integer[]) AND block = $2 AND shard = $3
     AND length(documents) = 0`,
    [terms, block, shard],
  );
}
