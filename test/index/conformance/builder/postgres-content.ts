/** Reads all that an index on PostgreSQL holds. */

import type { Database } from '../../../../src/database/postgres/postgres-database.ts';
import { decodeBlock } from '../../../../src/index/lexical/postings.ts';
import type { IndexContent } from './index-under-test.ts';

type DocumentRow = Omit<IndexContent['documents'][number], 'facets'> & { number: number };

export async function readPostgresContent(database: Database): Promise<IndexContent> {
  const all = <Row>(sql: string): Promise<Row[]> => database.query<Row>(sql);
  const documents = await all<DocumentRow & { facets: string[] }>(
    `SELECT number, id, title, abstract, d.year, authors, d.venue, encode(content_hash, 'hex') AS hash,
       encode(sentence_spans, 'hex') AS spans, encode(entry, 'hex') AS entry, reason,
       ARRAY[f.year::bigint | (f.type::bigint << 16) | (f.flags::bigint << 24),
         f.venue::bigint & 4294967295, f.sources::bigint & 4294967295,
         f.language::bigint | (f.field::bigint << 16),
         f.citations::bigint]::text[] AS facets
     FROM documents d JOIN forward_index e ON e.document = number JOIN vectors v ON v.document = number
     JOIN document_facets f ON f.document = number
     LEFT JOIN withheld_documents w ON w.document = number ORDER BY id`,
  );
  const idOf = new Map(documents.map(({ number, id }) => [number, id]));
  const postings = new Map<number, string[]>();
  for (const { term, block, documents } of await all<{
    term: number;
    block: number;
    documents: Buffer;
  }>('SELECT term, block, documents FROM postings')) {
    const ids = decodeBlock({ block, documents }).map((document) => idOf.get(document) as string);
    const unsigned = Number(term) >>> 0;
    postings.set(unsigned, [...(postings.get(unsigned) ?? []), ...ids].sort());
  }
  const counts = await all<{ term: number; documents: number }>(
    'SELECT term, documents FROM term_counts',
  );
  const keysIn = async (table: string) => {
    const rows = await all<{ key: number; id: string }>(
      `SELECT key, id FROM ${table} LEFT JOIN documents ON number = document ORDER BY key, id`,
    );
    return rows.map(({ key, id }): [number, string] => [key, id]);
  };
  const records = await all<{
    source: string;
    part: string | null;
    hash: string;
    id: string | null;
  }>(
    `SELECT r.source, r.part, encode(r.hash, 'hex') AS hash, d.id FROM source_records r
     LEFT JOIN documents d ON d.number = r.document ORDER BY source, part NULLS FIRST, hash`,
  );
  const [keys] = await all<{ keys: number }>('SELECT count(*) AS keys FROM record_keys');
  const [totals] = await all<IndexContent['totals']>(
    'SELECT documents, sentences, terms FROM index_facts',
  );
  return {
    documents: documents.map(({ number: _, facets, ...row }) => ({
      ...row,
      facets: facets.map(Number),
    })),
    postings: [...postings].sort(([a], [b]) => a - b),
    frequencies: counts
      .map(({ term, documents }): [number, number] => [Number(term) >>> 0, documents])
      .sort(([a], [b]) => a - b),
    titleKeys: await keysIn('title_keys'),
    authorKeys: await keysIn('author_keys'),
    records: records.map(({ source, part, hash, id }) => [source, part, hash, id]),
    recordKeys: Number(keys?.keys),
    totals: totals as IndexContent['totals'],
  };
}
