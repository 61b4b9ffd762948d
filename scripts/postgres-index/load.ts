/** Copies the index of an SQLite file to PostgreSQL, as it is. */

import type { Database, Queries } from '../../src/database/postgres/postgres-database.ts';
import type { Connection } from '../../src/database/sqlite/connection.ts';
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
import { vectorText } from '../../src/index/postgres/reading/dense.ts';

/** Rows of a statement. */
const BATCH = 1_000;

/** The tables that are copied, without those that only builds use. */
const TABLES = [
  ...['documents', 'forward_index', 'vectors', 'term_counts', 'postings', 'recent_terms'],
  ...['title_keys', 'document_facets', 'withheld_documents', 'source_records', 'record_keys'],
];

type Row = Record<string, string | number | null> & { shard?: number };

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

/** Replaces the index in the database, in one transaction. The tables exist. */
export async function loadIndex(
  db: Connection,
  database: Database,
  { shards, vectorIndex, part, state }: LoadOptions,
): Promise<void> {
  const { dimensions = 0 } = readModel(db) ?? {};
  await database.transaction(async (queries) => {
    const isFirst = await isEmpty(queries);
    if (isFirst) await queries.query(`ALTER TABLE vectors ALTER own TYPE halfvec(${dimensions})`);
    // Searches go on meanwhile, so nothing may lock a table.
    else await queries.query(TABLES.map((table) => `DELETE FROM ${table}`).join('; '));
    const put = (table: string, rows: Iterable<Row>): Promise<void> =>
      insert(queries, table, part === undefined ? rows : rowsOfPart(rows, part));
    await put('documents', documentRows(db, shards));
    await put('forward_index', entryRows(db, shards));
    await put('vectors', vectorRows(db, shards, dimensions));
    await put('term_counts', countRows(db));
    await put('postings', postingRows(db, shards));
    await put('recent_terms', recentRows(db, shards));
    await put('title_keys', documentTableRows(db, shards, 'SELECT key, document FROM title_keys'));
    await put('document_facets', facetRows(db, shards));
    const withheld = 'SELECT document, reason FROM withheld_documents';
    await put('withheld_documents', documentTableRows(db, shards, withheld));
    await put('source_records', recordRows(db, shards));
    await put('record_keys', keyRows(db, shards));
    const byOwn =
      vectorIndex === 'halfvec'
        ? 'own halfvec_ip_ops'
        : `(binary_quantize(own)::bit(${dimensions})) bit_hamming_ops`;
    if (isFirst) {
      await queries.query(`CREATE INDEX vectors_by_own ON vectors USING hnsw (${byOwn})`);
    }
    await writeFacts(db, queries, { vectorIndex, state });
  });
  await database.query(`ANALYZE ${TABLES.join()}`);
}

function* rowsOfPart(rows: Iterable<Row>, part: number | 'front'): Generator<Row> {
  for (const row of rows) {
    if ((row.shard ?? 'front') === part) yield part === 'front' ? row : { ...row, shard: 0 };
  }
}

async function isEmpty({ query }: Queries): Promise<boolean> {
  const [facts] = await query<{ model: string | null }>('SELECT model FROM index_facts');
  return facts?.model === null;
}

async function insert(queries: Queries, table: string, rows: Iterable<Row>): Promise<void> {
  let batch: Row[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const text = JSON.stringify(batch);
    batch = [];
    await queries.query(
      `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1::json)`,
      [text],
    );
  };
  for (const row of rows) {
    batch.push(row);
    if (batch.length === BATCH) await flush();
  }
  await flush();
}

function hex(blob: Buffer): string {
  return `\\x${blob.toString('hex')}`;
}

function* rowsOf<Stored>(db: Connection, sql: string): Generator<Stored> {
  for (const row of db.prepare(sql).iterate()) yield row as Stored;
}

function* documentTableRows(db: Connection, shards: number, sql: string): Generator<Row> {
  for (const row of rowsOf<Row & { document: number }>(db, sql)) {
    yield { ...row, shard: row.document % shards };
  }
}

function* documentRows(db: Connection, shards: number): Generator<Row> {
  const sql = `SELECT number, id, title, abstract, year, authors, venue, content_hash, sentence_spans
    FROM documents ORDER BY number`;
  type Stored = Row & { number: number } & { content_hash: Buffer; sentence_spans: Buffer };
  for (const { content_hash: contentHash, sentence_spans: spans, ...row } of rowsOf<Stored>(
    db,
    sql,
  )) {
    const shard = row.number % shards;
    yield { ...row, shard, content_hash: hex(contentHash), sentence_spans: hex(spans) };
  }
}

interface Entry {
  document: number;
  packed: Buffer;
}

function entriesOf(db: Connection, after = 0): Generator<Entry> {
  const sql = `SELECT document, packed FROM signals WHERE document > ${after} ORDER BY document`;
  return rowsOf<Entry>(db, sql);
}

function* entryRows(db: Connection, shards: number): Generator<Row> {
  for (const { document, packed } of entriesOf(db)) {
    yield { shard: document % shards, document, entry: hex(packed) };
  }
}

function* vectorRows(db: Connection, shards: number, dimensions: number): Generator<Row> {
  for (const { document, packed } of entriesOf(db)) {
    const { vectors } = decodeForwardEntry(packed);
    const own = vectorText(dequantizeOwn(ownVectorOf(vectors, dimensions)));
    yield { shard: document % shards, document, own };
  }
}

function* countRows(db: Connection): Generator<Row> {
  for (const { term, documents } of rowsOf<{ term: number; documents: number }>(
    db,
    'SELECT term, documents FROM term_counts',
  )) {
    yield { term: term | 0, documents };
  }
}

function* postingRows(db: Connection, shards: number): Generator<Row> {
  const last = indexedUpTo(db);
  for (const { term, part, documents } of rowsOf<{ term: number; part: number; documents: Buffer }>(
    db,
    'SELECT term, part, documents FROM postings',
  )) {
    const all = decodeBlock({ block: part, documents }).filter((document) => document <= last);
    for (let shard = 0; shard < shards; shard++) {
      const own = all.filter((document) => document % shards === shard);
      if (own.length === 0) continue;
      const block = blockOf(own[0] as number);
      yield { shard, term: term | 0, block, documents: hex(encodeBlock(own)) };
    }
  }
}

function* recentRows(db: Connection, shards: number): Generator<Row> {
  for (const { document, packed } of entriesOf(db, indexedUpTo(db))) {
    const vector = decodeTermVector(decodeForwardEntry(packed).terms);
    const terms = Array.from({ length: vector.size }, (_, at) => termAt(vector, at) | 0);
    yield { shard: document % shards, document, terms: `{${terms.join()}}` };
  }
}

function* facetRows(db: Connection, shards: number): Generator<Row> {
  for (const { block, packed } of rowsOf<{ block: number; packed: Buffer }>(
    db,
    'SELECT block, packed FROM document_facets',
  )) {
    const words = new Uint32Array(new Uint8Array(packed).buffer);
    for (let place = 0; place < BLOCK_DOCUMENTS; place++) {
      const [first = 0, venue = 0, sources = 0, last = 0] = words.subarray(FACET_WORDS * place);
      if (((first >>> 24) & flags.exists) === 0) continue;
      const document = block * BLOCK_DOCUMENTS + place;
      const facets = { year: first & 0xffff, type: (first >>> 16) & 0xff, flags: first >>> 24 };
      yield {
        shard: document % shards,
        document,
        ...facets,
        venue: venue | 0,
        sources: sources | 0,
        ...readLanguageAndField(last),
      };
    }
  }
}

function* recordRows(db: Connection, shards: number): Generator<Row> {
  const sql = `SELECT number, document, source, part, hash, updated_at, withheld, identifiers, fields,
    notice, details FROM source_records WHERE document IS NOT NULL`;
  for (const { hash, ...row } of rowsOf<Row & { document: number } & { hash: Buffer }>(db, sql)) {
    yield { ...row, shard: row.document % shards, hash: hex(hash) };
  }
}

function* keyRows(db: Connection, shards: number): Generator<Row> {
  const sql = `SELECT key, record, document FROM record_keys
    JOIN source_records ON number = record WHERE document IS NOT NULL`;
  for (const { key, record, document } of rowsOf<{ key: number; record: number; document: number }>(
    db,
    sql,
  )) {
    yield { shard: document % shards, key, record };
  }
}

function indexedUpTo(db: Connection): number {
  return Number(db.prepare("SELECT value FROM index_facts WHERE name = 'listed'").pluck().get());
}

async function writeFacts(
  db: Connection,
  { query }: Queries,
  { vectorIndex, state }: Pick<LoadOptions, 'vectorIndex' | 'state'>,
): Promise<void> {
  const facts = new Map(
    db.prepare('SELECT name, value FROM index_facts').raw().all() as [string, string | number][],
  );
  await query(
    `UPDATE index_facts SET model = $1, documents = $2, sentences = $3, terms = $4,
       indexed_up_to = $5, vector_index = $6,
       id = coalesce($7, id), revision = coalesce($8, revision + 1),
       last_document = $9, last_record = $10`,
    [
      ...[facts.get('model') ?? '', facts.get('documents') ?? 0, facts.get('sentences') ?? 0],
      ...[facts.get('terms') ?? 0, facts.get('listed') ?? 0, vectorIndex],
      ...[state?.id ?? null, state?.revision ?? null],
      ...[lastNumber(db, 'documents'), lastNumber(db, 'source_records')],
    ],
  );
}

function lastNumber(db: Connection, table: string): number {
  return Number(db.prepare(`SELECT coalesce(max(number), 0) FROM ${table}`).pluck().get());
}
