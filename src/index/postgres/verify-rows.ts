/**
 * Checks the rows that only PostgreSQL has, the records and the keys of documents, and that no table has
 * rows of other documents.
 */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import { authorKeysOf } from '../../identity/author-keys.ts';
import { hashKey, keysOf } from '../../identity/record-keys.ts';
import { dequantizeOwn, ownVectorOf } from '../dense/embeddings.ts';
import { allKeysOf } from '../documents/title-index.ts';
import type { Facets } from '../facets/facets.ts';
import { decodeForwardEntry } from '../forward-index.ts';
import { decodeTermVector, expectedTermVector } from '../lexical/term-vectors.ts';
import type { StoredRecord } from '../records/stored-records.ts';
import { decodeSpans } from '../sentence-spans.ts';
import type { CheckedDocument } from '../verify/create-index-check.ts';
import { createCitationsCheck } from '../verify/verify-citations.ts';
import {
  attempt,
  type ReportProblem,
  verifyDistinct,
  verifyMerged,
} from '../verify/verify-merged.ts';
import { storedTermsOf } from './batch-counts.ts';
import { eachCitationBlock } from './citations.ts';
import { type IndexFacts, modelOf } from './facts.ts';
import { readRecords, storedOf } from './records.ts';
import { rowsOf, toJson } from './rows.ts';

/** Components of 16 bits differ from their numbers by less. */
const COMPONENT_TOLERANCE = 0.001;
/** Groups of records that share the hash of a key, in memory at a time. */
const GROUPS_MAX = 10_000;

/** The tables whose rows are counted, by what belongs to documents and records. */
type Counted = 'documents' | 'titleKeys' | 'recent' | 'records' | 'recordKeys' | 'authorKeys';
type ExpectedRows = Record<Counted, number>;

const NO_ROWS: ExpectedRows = {
  documents: 0,
  titleKeys: 0,
  recent: 0,
  records: 0,
  recordKeys: 0,
  authorKeys: 0,
};

export interface VerifiedRow extends CheckedDocument {
  shard: number;
  /** The own vector as text. */
  own: string | null;
  /** The terms behind the watermark. */
  recent: number[] | null;
  reason: string | null;
  /** The facets as in `Facets`. */
  facets: string[] | null;
}

/** `finish` finds what belongs to no document. Call it after all documents. */
export function createRowsCheck(
  queries: Queries,
  { facts, problem }: { facts: IndexFacts; problem: ReportProblem },
) {
  const citations = createCitationsCheck(problem);
  const expected: ExpectedRows = { ...NO_ROWS };
  const checkRecordKeys = async (stored: readonly StoredRecord[]): Promise<void> => {
    const wanted = stored.flatMap(({ number, record }) =>
      [...new Set(keysOf(record).map(hashKey))].map((key) => ({ key, record: number })),
    );
    expected.recordKeys += wanted.length;
    for (const record of await ownersWithout(queries, 'record_keys', wanted)) {
      problem(`a key of record ${record} is missing`);
    }
  };
  return {
    document(row: VerifiedRow): void {
      expected.documents++;
      if (row.number % facts.shards !== row.shard) {
        problem(`${row.id} is in partition ${row.shard}, and belongs to another one`);
      }
      if (!isOwnVector(row, facts)) problem(`${row.id}: its vector is not that of its entry`);
      if (row.number > facts.indexedUpTo) {
        expected.recent++;
        const spans = decodeSpans(row.sentence_spans);
        const stored = row.forwardEntry && decodeForwardEntry(row.forwardEntry).terms;
        const terms = decodeTermVector(expectedTermVector(row, spans, stored ?? undefined));
        if (String(storedTermsOf(terms)) !== String(row.recent)) {
          problem(`${row.id}: its recent terms are not those of its text`);
        }
      } else if (row.recent !== null) {
        problem(`${row.id} is in the postings and has recent terms, too`);
      }
    },
    async titleKeys(rows: readonly VerifiedRow[]): Promise<void> {
      const wanted = rows.flatMap(({ number, title }) =>
        allKeysOf(title).map((key) => ({ key, document: number })),
      );
      expected.titleKeys += wanted.length;
      for (const document of await ownersWithout(queries, 'title_keys', wanted)) {
        problem(`${idOf(rows, document)}: a key of its title is missing`);
      }
    },
    async records(rows: readonly VerifiedRow[]): Promise<void> {
      const numbers = rows.map(({ number }) => number);
      const found = await readRecords(queries, 'r.document = ANY($1::integer[])', [numbers]);
      expected.records += found.length;
      const readable: StoredRecord[] = [];
      const authors: { key: number; document: number }[] = [];
      for (const row of rows) {
        const own = found.filter(({ document }) => document === row.number);
        attempt(`${row.id}: one of its records is unreadable`, problem, () => {
          const stored = own.map(storedOf);
          const facets = (row.facets?.map(Number) ?? []) as unknown as Facets;
          verifyMerged(row, { records: stored, facets, problem });
          citations.document(stored);
          readable.push(...stored);
          const keys = authorKeysOf(stored.map(({ record }) => record));
          for (const key of keys) authors.push({ key, document: row.number });
        });
      }
      await checkRecordKeys(readable);
      expected.authorKeys += authors.length;
      for (const document of await ownersWithout(queries, 'author_keys', authors)) {
        problem(`${idOf(rows, document)}: a key of an author is missing`);
      }
    },
    async finish(): Promise<void> {
      const waiting = await readRecords(queries, 'r.document < 0');
      expected.records += waiting.length;
      const readable: StoredRecord[] = [];
      for (const row of waiting) {
        attempt(`record ${row.number} is unreadable`, problem, () => {
          const stored = storedOf(row);
          if (stored.record.part === 'record') problem(`record ${row.number} has no document`);
          readable.push(stored);
        });
      }
      await checkRecordKeys(readable);
      await verifyCounts(queries, expected, problem);
      await eachCitationBlock(queries, citations.block);
      citations.finish();
      await verifyUnique(queries, problem);
      await verifyPartitions(queries, facts, problem);
    },
  };
}

function idOf(rows: readonly VerifiedRow[], document: number): string {
  return (rows.find(({ number }) => number === document) as VerifiedRow).id;
}

/** Finds rows that belong to nothing. */
async function verifyCounts(
  queries: Queries,
  { documents, recent, titleKeys, recordKeys, records, authorKeys }: ExpectedRows,
  problem: ReportProblem,
): Promise<void> {
  for (const [table, rows, what] of [
    ['forward_index', documents, 'rows of forward_index without a document'],
    ['vectors', documents, 'rows of vectors without a document'],
    ['document_facets', documents, 'rows of document_facets without a document'],
    ['recent_terms', recent, 'rows of recent_terms without a document'],
    ['title_keys', titleKeys, 'keys of titles without a document'],
    ['record_keys', recordKeys, 'keys without a record'],
    ['author_keys', authorKeys, 'keys of authors without a document'],
    ['source_records', records, 'records of documents that do not exist'],
  ] as const) {
    const extra = (await countRows(queries, table)) - rows;
    if (extra > 0) problem(`${what}: ${extra}`);
  }
}

/** Returns the documents or records that lack one of their keys. */
async function ownersWithout(
  { query }: Queries,
  table: 'title_keys' | 'record_keys' | 'author_keys',
  wanted: readonly Record<string, number>[],
): Promise<number[]> {
  const owner = table === 'record_keys' ? 'record' : 'document';
  const rows = await query<{ owner: number }>(
    `SELECT DISTINCT r.${owner} AS owner FROM ${rowsOf(table)} r WHERE NOT EXISTS
       (SELECT FROM ${table} k WHERE k.key = r.key AND k.${owner} = r.${owner})`,
    [toJson(wanted)],
  );
  return rows.map((row) => row.owner);
}

async function countRows({ query }: Queries, table: string, values?: number[]): Promise<number> {
  const [row] = await query<{ count: number }>(`SELECT count(*) AS count FROM ${table}`, values);
  return row?.count ?? 0;
}

/** Checks ids, and keys that lead to several documents. Hashes may collide, so it compares the keys too. */
async function verifyUnique(queries: Queries, problem: ReportProblem): Promise<void> {
  const twice = await queries.query<{ id: string }>(
    'SELECT id FROM documents GROUP BY id HAVING count(*) > 1 LIMIT 10',
  );
  for (const { id } of twice) problem(`several documents have the id ${id}`);
  const groups = await queries.query<{ records: number[] }>(
    `SELECT array_agg(k.record::float8) AS records FROM record_keys k
     JOIN source_records r ON r.shard = k.shard AND r.number = k.record
     GROUP BY k.key HAVING count(DISTINCT r.document) > 1 LIMIT ${GROUPS_MAX}`,
  );
  for (const { records } of groups) {
    const rows = await readRecords(queries, 'r.number = ANY($1::bigint[])', [records]);
    attempt('a record that shares a key is unreadable', problem, () => {
      verifyDistinct(rows.map(storedOf), problem);
    });
  }
}

/** Rows of a document or a record are in partitions of its number. */
async function verifyPartitions(
  queries: Queries,
  { shards }: IndexFacts,
  problem: ReportProblem,
): Promise<void> {
  const tables = ['forward_index', 'vectors', 'recent_terms', 'title_keys', 'document_facets'];
  for (const table of [...tables, 'author_keys', 'withheld_documents', 'source_records']) {
    const isRecord = table === 'source_records';
    const owner = isRecord ? 'CASE WHEN document > 0 THEN document ELSE number END' : 'document';
    const wrong = await countRows(queries, `${table} WHERE (${owner}) % $1 <> shard`, [shards]);
    const what = isRecord ? 'records' : `rows of ${table}`;
    if (wrong > 0) problem(`${what} in a wrong partition: ${wrong}`);
  }
}

function isOwnVector({ forwardEntry, own }: VerifiedRow, facts: IndexFacts): boolean {
  const model = modelOf(facts);
  if (own === null || forwardEntry === null || model === undefined) return false;
  const stored = JSON.parse(own) as number[];
  const { vectors } = decodeForwardEntry(forwardEntry);
  const expected = dequantizeOwn(ownVectorOf(vectors, model.dimensions));
  return (
    stored.length === expected.length &&
    stored.every((one, at) => Math.abs(one - (expected[at] as number)) < COMPONENT_TOLERANCE)
  );
}
