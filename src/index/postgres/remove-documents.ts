/** Removes documents with all that is derived from them. Their records are removed before. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { DocumentNumber } from '../../types.ts';
import { allKeysOf } from '../documents/title-index.ts';
import { decodeForwardEntry } from '../forward-index.ts';
import { blockOf, without } from '../lexical/postings.ts';
import { decodeTermVector } from '../lexical/term-vectors.ts';
import { decodeSpans } from '../sentence-spans.ts';
import { type BatchCounts, countDocument, storedTermsOf } from './batch-counts.ts';
import type { IndexFacts } from './facts.ts';
import { rowsOf, toJson } from './rows.ts';

/** The tables that name a document, but for its title's keys and its records. */
const TABLES = [
  'forward_index',
  'vectors',
  'recent_terms',
  'document_facets',
  'withheld_documents',
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
    countDocument(counts, { terms, sentences: decodeSpans(sentence_spans).length }, -1);
  }
  const keys = documents.flatMap(({ number, title }) =>
    allKeysOf(title).map((key) => ({ key, document: number })),
  );
  await queries.query(
    `DELETE FROM title_keys k USING ${rowsOf('title_keys')} r
     WHERE k.key = r.key AND k.document = r.document`,
    [toJson(keys)],
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
  const kept = rows.map(({ term, documents }) => {
    return { term, block, shard, documents: without(number, { block, documents }) };
  });
  await query(
    `UPDATE postings p SET documents = r.documents FROM ${rowsOf('postings')} r
     WHERE p.term = r.term AND p.block = r.block AND p.shard = r.shard`,
    [toJson(kept)],
  );
  await query(
    `DELETE FROM postings WHERE term = ANY ($1::integer[]) AND block = $2 AND shard = $3
     AND length(documents) = 0`,
    [terms, block, shard],
  );
}
