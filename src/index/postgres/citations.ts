/** Writes and reads who cites a work. */
import type { Queries } from '../../database/postgres/postgres-database.ts';
import { hashKey } from '../../identity/record-keys.ts';
import { keysInReferences, type WorkKey } from '../../identity/reference-list.ts';
import type { DocumentNumber } from '../../types.ts';
import type { CitationBlock, CitationChanges } from '../citations/citation-changes.ts';
import { decodeCiting, mergeCiting } from '../citations/citing-list.ts';
import { type DocumentReferences, referencesOf } from '../citations/document-references.ts';
import { newestFirst, type Page, type Placed, placeOf } from '../citations/newest-first.ts';
import { groupBy } from './documents.ts';
import { insertRows } from './rows.ts';

/** Blocks in memory at a time, while they are verified. */
const BLOCKS_PER_PAGE = 1_000;

/** A row of citations. Rows that come from several servers are JSON, which has no bytes. */
interface CitationRow extends Omit<CitationBlock, 'documents'> {
  /** Base64. */
  documents: string;
}

/** Call it in the transaction that has locked the facts. */
export async function writeCitations(queries: Queries, changes: CitationChanges): Promise<void> {
  const keys = changes.keys();
  if (keys.length === 0) return;
  const rows = await queries.query<CitationRow>(
    `SELECT key, shard AS block, work, encode(documents, 'base64') AS documents
     FROM citations WHERE key = ANY($1::bigint[])`,
    [keys],
  );
  const stored = groupBy(rows, ({ key }) => key);
  const blocks = keys.flatMap((key) => changes.blocksOf(key, (stored.get(key) ?? []).map(blockOf)));
  const [kept, empty] = [true, false].map((isKept) =>
    blocks.filter(({ documents }) => documents.length > 0 === isKept),
  ) as [CitationBlock[], CitationBlock[]];
  await insertRows(
    queries,
    'citations',
    kept.map(({ block: shard, ...row }) => ({ shard, ...row })),
    '(key, shard) DO UPDATE SET documents = excluded.documents',
  );
  if (empty.length === 0) return;
  await queries.query(
    `DELETE FROM citations c USING unnest($1::bigint[], $2::integer[]) AS e (key, shard)
     WHERE c.key = e.key AND c.shard = e.shard`,
    [empty.map(({ key }) => key), empty.map(({ block }) => block)],
  );
}

function blockOf(row: CitationRow): CitationBlock {
  return { ...row, documents: Buffer.from(row.documents, 'base64') };
}

/** Returns what the records of each document cite. */
export async function readReferences(
  { query }: Queries,
  documents: readonly DocumentNumber[],
): Promise<DocumentReferences[]> {
  const rows = await query<{ document: DocumentNumber; cited: string }>(
    `SELECT document, encode(cited, 'base64') AS cited FROM source_records
     WHERE document = ANY($1::integer[]) AND cited IS NOT NULL ORDER BY number`,
    [documents],
  );
  const lists = groupBy(
    rows.map(({ document, cited }) => ({ document, list: Buffer.from(cited, 'base64') })),
    ({ document }) => document,
  );
  const listsOf = (document: DocumentNumber): Buffer[] =>
    (lists.get(document) ?? []).map(({ list }) => list);
  const keys = keysInReferences(documents.flatMap(listsOf));
  const works = new Map<WorkKey, string>();
  if (keys.size > 0) {
    const named = await query<{ key: WorkKey; work: string }>(
      'SELECT key, work FROM citations WHERE key = ANY($1::bigint[])',
      [[...keys]],
    );
    for (const { key, work } of named) works.set(key, work);
  }
  return documents.map((document) => referencesOf(listsOf(document), (key) => works.get(key)));
}

/** Returns for each list of keys of a work the documents that cite it, ascending. */
export async function readCiting(
  { query }: Queries,
  keys: readonly (readonly string[])[],
): Promise<Uint32Array[]> {
  const rows = await query<Pick<CitationRow, 'key' | 'documents'>>(
    `SELECT key, encode(documents, 'base64') AS documents FROM citations
     WHERE key = ANY($1::bigint[])`,
    [keys.flat().map(hashKey)],
  );
  const lists = groupBy(rows, ({ key }) => key);
  const citing = (key: string): Uint32Array[] =>
    (lists.get(hashKey(key)) ?? []).map(({ documents }) =>
      decodeCiting(Buffer.from(documents, 'base64')),
    );
  return keys.map((list) => mergeCiting(list.flatMap(citing)));
}

/** Calls `work` with each stored block, ascending by keys. */
export async function eachCitationBlock(
  { query }: Queries,
  work: (block: CitationBlock) => void,
): Promise<void> {
  let last: Pick<CitationBlock, 'key' | 'block'> | undefined = {
    key: Number.MIN_SAFE_INTEGER,
    block: 0,
  };
  while (last !== undefined) {
    const rows: CitationBlock[] = await query<CitationBlock>(
      `SELECT key, shard AS block, work, documents FROM citations
       WHERE (key, shard) > ($1::bigint, $2::integer) ORDER BY key, shard LIMIT ${BLOCKS_PER_PAGE}`,
      [last.key, last.block],
    );
    rows.forEach(work);
    last = rows.at(-1);
  }
}

/** Returns a page of documents, those of the latest years first. */
export async function readNewestFirst(
  { query }: Queries,
  documents: ArrayLike<DocumentNumber>,
  page: Page,
): Promise<Placed[]> {
  const { year, document } = placeOf(page.after ?? Number.MAX_SAFE_INTEGER);
  const rows = await query<{ year: number; document: DocumentNumber }>(
    `SELECT year, document FROM document_facets
     WHERE document = ANY($1::integer[]) AND (year, document::bigint) < ($2::bigint, $3::bigint)
     ORDER BY year DESC, document DESC LIMIT $4::integer`,
    [Array.from(documents), year, document, page.most],
  );
  const years = new Map(rows.map((row) => [row.document, row.year]));
  return newestFirst([...years.keys()], (one) => years.get(one) ?? 0, page);
}
