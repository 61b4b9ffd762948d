/** Copies the index of an SQLite file to PostgreSQL, as it is. */

import type { Database, Queries } from '../../src/database/postgres/postgres-database.ts';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { decodeCiting, encodeCiting } from '../../src/index/citations/citing-list.ts';
import { dequantizeOwn, ownVectorOf } from '../../src/index/dense/embeddings.ts';
import {
  BLOCK_DOCUMENTS,
  FACET_WORDS,
  flags,
  readLanguageAndField,
} from '../../src/index/facets/facets.ts';
import { decodeForwardEntry } from '../../src/index/forward-index.ts';
import { readModel } from '../../src/index/index-facts.ts';
import { blockOf, decodeBlock, encodeBlock } from '../../src/index/lexical/postings.ts';
import { decodeTermVector, termAt } from '../../src/index/lexical/term-vectors.ts';
import { vectorText } from '../../src/index/postgres/nearest.ts';

/** Rows of a statement. */
const BATCH = 1_000;

export interface LoadOptions {
  /** Partitions, or servers. */
  shards: number;
  vectorIndex: 'halfvec' | 'bit';
  /**
   * The rows for one server of several: those of one shard, or what is true of the whole index. They are
   * in the only partition of that server.
   */
  part?: number | 'front';
  /** The state that the index gets. Absent: a new revision. */
  state?: IndexState | undefined;
}

/** What servers of one index have in common. */
export interface IndexState {
  id: string;
  revision: number;
}

type Row = Record<string, string | number | null | undefined | Buffer>;

/** A table that is copied. Only builds use the others. */
interface Copied {
  table: string;
  /** The rows on SQLite. Columns that the table does not have are passed over. */
  sql: string;
  /** The rows on PostgreSQL: a row as it is without it. */
  make?: (row: Row, shards: number) => Iterable<Row>;
}

function tablesOf(dimensions: number, indexedUpTo: number): Copied[] {
  const signals = 'SELECT document, packed FROM signals';
  return [
    {
      table: 'documents',
      sql: `SELECT number, id, title, abstract, year, authors, venue, content_hash, sentence_spans
        FROM documents ORDER BY number`,
    },
    { table: 'forward_index', sql: 'SELECT document, packed AS entry FROM signals' },
    { table: 'vectors', sql: signals, make: (row) => [vectorRow(row, dimensions)] },
    {
      table: 'term_counts',
      sql: 'SELECT term, documents FROM term_counts',
      make: ({ term, documents }) => [{ term: Number(term) | 0, documents }],
    },
    {
      table: 'postings',
      sql: 'SELECT term, part, documents FROM postings',
      make: (row, shards) => postingRows(row, indexedUpTo, shards),
    },
    {
      table: 'recent_terms',
      sql: `${signals} WHERE document > ${indexedUpTo}`,
      make: (row) => [recentRow(row)],
    },
    { table: 'title_keys', sql: 'SELECT key, document FROM title_keys' },
    { table: 'document_facets', sql: 'SELECT block, packed FROM document_facets', make: facetRows },
    { table: 'author_keys', sql: 'SELECT key, document FROM author_keys' },
    { table: 'withheld_documents', sql: 'SELECT document, reason FROM withheld_documents' },
    {
      table: 'source_records',
      sql: `SELECT number, document, source, part, hash, updated_at, withheld, identifiers, fields,
        notice, details, cited FROM source_records WHERE document IS NOT NULL`,
    },
    {
      table: 'record_keys',
      sql: `SELECT key, record, document FROM record_keys
        JOIN source_records ON number = record WHERE document IS NOT NULL`,
    },
    { table: 'citations', sql: 'SELECT key, work, documents FROM citations', make: citationRows },
    { table: 'paper_changes', sql: 'SELECT sequence, id, added, reason FROM paper_changes' },
  ];
}

/** Replaces the index in the database, in one transaction. The tables exist. */
export async function loadIndex(
  db: Connection,
  database: Database,
  options: LoadOptions,
): Promise<void> {
  const { dimensions = 0 } = readModel(db) ?? {};
  const facts = new Map(
    db.prepare('SELECT name, value FROM index_facts').raw().all() as [string, string | number][],
  );
  const tables = tablesOf(dimensions, Number(facts.get('listed')));
  await database.transaction(async (queries) => {
    const isFirst = await isEmpty(queries);
    if (isFirst) await queries.query(`ALTER TABLE vectors ALTER own TYPE halfvec(${dimensions})`);
    // Searches go on meanwhile, so nothing may lock a table.
    else await queries.query(tables.map(({ table }) => `DELETE FROM ${table}`).join('; '));
    for (const one of tables) await insert(queries, one.table, rowsOf(db, one, options));
    const byOwn =
      options.vectorIndex === 'halfvec'
        ? 'own halfvec_ip_ops'
        : `(binary_quantize(own)::bit(${dimensions})) bit_hamming_ops`;
    if (isFirst) {
      await queries.query(`CREATE INDEX vectors_by_own ON vectors USING hnsw (${byOwn})`);
    }
    await writeFacts(db, queries, facts, options);
  });
  await database.query(`ANALYZE ${tables.map(({ table }) => table).join()}`);
}

/** The rows for all partitions, or for one server. What is no document's is the front's. */
function* rowsOf(
  db: Connection,
  { sql, make = (row) => [row] }: Copied,
  { shards, part }: LoadOptions,
): Generator<Row> {
  for (const stored of db.prepare(sql).iterate() as Iterable<Row>) {
    for (const row of make(stored, shards)) {
      const { document = row['number'] } = row;
      const shard = row['shard'] ?? (typeof document === 'number' ? document % shards : undefined);
      if (part !== undefined && (shard ?? 'front') !== part) continue;
      yield { ...row, shard: part === undefined || shard === undefined ? shard : 0 };
    }
  }
}

async function isEmpty({ query }: Queries): Promise<boolean> {
  const [facts] = await query<{ model: string | null }>('SELECT model FROM index_facts');
  return facts?.model === null;
}

async function insert({ query }: Queries, table: string, rows: Iterable<Row>): Promise<void> {
  let batch: Row[] = [];
  const flush = async (): Promise<void> => {
    const text = JSON.stringify(batch);
    batch = [];
    await query(
      `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1::json)`,
      [text],
    );
  };
  for (const row of rows) {
    batch.push(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, hex(value)])));
    if (batch.length === BATCH) await flush();
  }
  if (batch.length > 0) await flush();
}

function hex(value: Row[string]): Row[string] {
  return Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value;
}

function vectorRow({ document, packed }: Row, dimensions: number): Row {
  const { vectors } = decodeForwardEntry(packed as Buffer);
  return { document, own: vectorText(dequantizeOwn(ownVectorOf(vectors, dimensions))) };
}

function* postingRows(
  { term, part, documents }: Row,
  indexedUpTo: number,
  shards: number,
): Generator<Row> {
  const block = { block: Number(part), documents: documents as Buffer };
  const all = decodeBlock(block).filter((document) => document <= indexedUpTo);
  for (let shard = 0; shard < shards; shard++) {
    const [first, ...others] = all.filter((document) => document % shards === shard);
    if (first === undefined) continue;
    const encoded = Buffer.from(encodeBlock([first, ...others]));
    yield { shard, term: Number(term) | 0, block: blockOf(first), documents: encoded };
  }
}

function recentRow({ document, packed }: Row): Row {
  const vector = decodeTermVector(decodeForwardEntry(packed as Buffer).terms);
  const terms = Array.from({ length: vector.size }, (_, at) => termAt(vector, at) | 0);
  return { document, terms: `{${terms.join()}}` };
}

/** The citing documents of a work, by their partitions. */
function* citationRows({ key, work, documents }: Row, shards: number): Generator<Row> {
  const citing = decodeCiting(documents as Buffer);
  for (let shard = 0; shard < shards; shard++) {
    const own = citing.filter((document) => document % shards === shard);
    if (own.length > 0) yield { shard, key, work, documents: encodeCiting(own) } as Row;
  }
}

function* facetRows({ block, packed, citations }: Row): Generator<Row> {
  const words = new Uint32Array(new Uint8Array(packed as Buffer).buffer);
  for (let place = 0; place < BLOCK_DOCUMENTS; place++) {
    const [first = 0, venue = 0, sources = 0, last = 0] = words.subarray(FACET_WORDS * place);
    if (((first >>> 24) & flags.exists) === 0) continue;
    const document = Number(block) * BLOCK_DOCUMENTS + place;
    const facets = { year: first & 0xffff, type: (first >>> 16) & 0xff, flags: first >>> 24 };
    const hashes = { venue: venue | 0, sources: sources | 0 };
    const cited = (citations as Buffer | null)?.readUInt32LE(4 * place) ?? 0;
    yield { document, ...facets, ...hashes, ...readLanguageAndField(last), citations: cited };
  }
}

async function writeFacts(
  db: Connection,
  { query }: Queries,
  facts: ReadonlyMap<string, string | number>,
  { vectorIndex, state }: LoadOptions,
): Promise<void> {
  const last = (table: string): number =>
    Number(db.prepare(`SELECT coalesce(max(number), 0) FROM ${table}`).pluck().get());
  await query(
    `UPDATE index_facts SET model = $1, documents = $2, sentences = $3, terms = $4,
       indexed_up_to = $5, vector_index = $6,
       id = coalesce($7, id), revision = coalesce($8, revision + 1),
       last_document = $9, last_record = $10`,
    [
      ...[facts.get('model') ?? '', facts.get('documents') ?? 0, facts.get('sentences') ?? 0],
      ...[facts.get('terms') ?? 0, facts.get('listed') ?? 0, vectorIndex],
      ...[state?.id ?? null, state?.revision ?? null],
      ...[last('documents'), last('source_records')],
    ],
  );
}
