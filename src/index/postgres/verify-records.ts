/**
 * Checks the records: merging a document's records yields that document, keys find their records, and
 * no two documents share an identifier.
 */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import { hashKey, keysOf } from '../../identity/record-keys.ts';
import type { Facets } from '../facets/facets.ts';
import type { StoredRecord } from '../records/stored-records.ts';
import {
  attempt,
  type ReportProblem,
  verifyDistinct,
  verifyMerged,
} from '../verify/verify-merged.ts';
import type { VerifiedRow } from './document-pages.ts';
import type { IndexFacts } from './facts.ts';
import { readRecords, storedOf } from './records.ts';
import { rowsOf, toJson } from './rows.ts';

export interface RecordsCheck {
  documents(rows: readonly VerifiedRow[]): Promise<void>;
  /** Checks the records that wait, and finds what belongs to no record. Call it after all documents. */
  finish(): Promise<void>;
}

/** Groups of records that share the hash of a key, in memory at a time. */
const GROUPS_MAX = 10_000;

export function createRecordsCheck(
  { query }: Queries,
  { facts, problem }: { facts: IndexFacts; problem: ReportProblem },
): RecordsCheck {
  let expectedKeys = 0;
  let records = 0;
  const checkKeys = async (stored: readonly StoredRecord[]): Promise<void> => {
    const wanted = stored.flatMap(({ number, record }) =>
      [...new Set(keysOf(record).map(hashKey))].map((key) => ({ key, record: number })),
    );
    expectedKeys += wanted.length;
    const missing = await query<{ record: number }>(
      `SELECT DISTINCT r.record FROM ${rowsOf('record_keys')} r WHERE NOT EXISTS
         (SELECT FROM record_keys k WHERE k.key = r.key AND k.record = r.record)`,
      [toJson(wanted)],
    );
    for (const { record } of missing) problem(`a key of record ${record} is missing`);
  };
  return {
    async documents(rows) {
      const found = await readRecords({ query }, 'r.document = ANY($1::integer[])', [
        rows.map(({ number }) => number),
      ]);
      records += found.length;
      const readable: StoredRecord[] = [];
      for (const row of rows) {
        const own = found.filter(({ document }) => document === row.number);
        attempt(`${row.id}: one of its records is unreadable`, problem, () => {
          const stored = own.map(storedOf);
          const facets = (row.facets?.map(Number) ?? []) as unknown as Facets;
          verifyMerged(row, { records: stored, facets, problem });
          readable.push(...stored);
        });
      }
      await checkKeys(readable);
    },
    async finish() {
      const waiting = await readRecords({ query }, 'r.document < 0');
      records += waiting.length;
      const readable: StoredRecord[] = [];
      for (const row of waiting) {
        attempt(`record ${row.number} is unreadable`, problem, () => {
          const stored = storedOf(row);
          if (stored.record.part === 'record') problem(`record ${row.number} has no document`);
          readable.push(stored);
        });
      }
      await checkKeys(readable);
      await finishCounts({ query }, { records, keys: expectedKeys }, problem);
      await verifyShared({ query }, problem);
      await verifyPartitions({ query }, facts, problem);
    },
  };
}

async function finishCounts(
  { query }: Queries,
  expected: { records: number; keys: number },
  problem: ReportProblem,
): Promise<void> {
  const [stored] = await query<{ keys: number; records: number }>(
    `SELECT (SELECT count(*) FROM record_keys) AS keys,
       (SELECT count(*) FROM source_records) AS records`,
  );
  const keys = (stored?.keys ?? 0) - expected.keys;
  if (keys > 0) problem(`keys without a record: ${keys}`);
  const records = (stored?.records ?? 0) - expected.records;
  if (records > 0) problem(`records of documents that do not exist: ${records}`);
}

/** Checks keys that lead to several documents. Hashes may collide, so it compares the keys too. */
async function verifyShared(queries: Queries, problem: ReportProblem): Promise<void> {
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
  { query }: Queries,
  { shards }: IndexFacts,
  problem: ReportProblem,
): Promise<void> {
  const tables = ['forward_index', 'vectors', 'recent_terms', 'title_keys', 'document_facets'];
  for (const table of [...tables, 'withheld_documents']) {
    const [row] = await query<{ count: number }>(
      `SELECT count(*) AS count FROM ${table} WHERE document % $1 <> shard`,
      [shards],
    );
    if (row && row.count > 0) problem(`rows of ${table} in a wrong partition: ${row.count}`);
  }
  const [row] = await query<{ count: number }>(
    `SELECT count(*) AS count FROM source_records
     WHERE (CASE WHEN document > 0 THEN document ELSE number END) % $1 <> shard`,
    [shards],
  );
  if (row && row.count > 0) problem(`records in a wrong partition: ${row.count}`);
}
