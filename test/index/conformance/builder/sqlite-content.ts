/** Reads all that an index in an SQLite file holds. */
import type { Connection } from '../../../../src/database/sqlite/connection.ts';
import { prepareReadFacets } from '../../../../src/index/facets/stored-facets.ts';
import {
  decodeBlock,
  prepareReadIndexedUpTo,
  upTo,
} from '../../../../src/index/lexical/postings.ts';
import type { IndexContent } from './index-under-test.ts';

type DocumentRow = Omit<IndexContent['documents'][number], 'facets'> & { number: number };

export function readSqliteContent(db: Connection): IndexContent {
  const all = <Row>(sql: string): Row[] => db.prepare(sql).all() as Row[];
  const keysIn = (table: string) =>
    all<{ key: number; id: string }>(
      `SELECT key, id FROM ${table} LEFT JOIN documents ON number = document ORDER BY key, id`,
    ).map(({ key, id }): [number, string] => [key, id]);
  const facetsOf = prepareReadFacets(db);
  const indexedUpTo = prepareReadIndexedUpTo(db)();
  const documents = all<DocumentRow>(
    `SELECT number, id, title, abstract, year, authors, venue, lower(hex(content_hash)) AS hash,
       lower(hex(sentence_spans)) AS spans, lower(hex(packed)) AS entry, reason
     FROM documents JOIN signals s ON s.document = number
     LEFT JOIN withheld_documents w ON w.document = number ORDER BY id`,
  );
  const idOf = new Map(documents.map(({ number, id }) => [number, id]));
  const postings = new Map<number, string[]>();
  for (const { term, part: block, documents } of all<{
    term: number;
    part: number;
    documents: Buffer;
  }>('SELECT * FROM postings ORDER BY term, part')) {
    const covered = decodeBlock({ block, documents: upTo(indexedUpTo, { block, documents }) });
    const ids = covered.map((document) => idOf.get(document) as string);
    postings.set(term, [...(postings.get(term) ?? []), ...ids].sort());
  }
  const facts = new Map(
    all<{ name: string; value: unknown }>('SELECT name, value FROM index_facts').map((row) => [
      row.name,
      row.value,
    ]),
  );
  const fact = (name: string): number => Number(facts.get(name));
  return {
    documents: documents.map(({ number, ...row }) => ({
      ...row,
      facets: [...facetsOf(number)],
    })),
    postings: [...postings],
    frequencies: all<{ term: number; documents: number }>(
      'SELECT term, documents FROM term_counts ORDER BY term',
    ).map(({ term, documents }) => [term, documents]),
    titleKeys: keysIn('title_keys'),
    authorKeys: keysIn('author_keys'),
    records: all<{ source: string; part: string | null; hash: string; id: string | null }>(
      `SELECT source, part, lower(hex(hash)) AS hash, id FROM source_records
       LEFT JOIN documents d ON d.number = document ORDER BY source, part, hash`,
    ).map(({ source, part, hash, id }) => [source, part, hash, id]),
    recordKeys: Number(all<{ keys: number }>('SELECT count(*) AS keys FROM record_keys')[0]?.keys),
    totals: { documents: fact('documents'), sentences: fact('sentences'), terms: fact('terms') },
  };
}
