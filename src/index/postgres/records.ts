/** Reads records, with the documents that they make, and what plans are made of. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { Value } from '../../database/sql/sql.ts';
import type { KeptRecord } from '../../identity/kept-record.ts';
import { hashKey, nameKeyOf, nameOf } from '../../identity/record-keys.ts';
import type { DocumentNumber } from '../../types.ts';
import type { QuantizedUnit } from '../dense/embeddings.ts';
import type { DocumentWithSources } from '../documents/sources-of-documents.ts';
import { soundMerge } from '../documents/stored-document.ts';
import { type StoredTextsRow, unitsIn } from '../documents/stored-units.ts';
import {
  type Gathered,
  gatherRecords,
  RECORDS_PER_GROUP_MAX,
  type RecordsOfKey,
  type WantedKey,
} from '../records/gather-records.ts';
import {
  documentsOf,
  type IncomingRecord,
  keysOfIncomingRecord,
  type Plan,
  type PlannedFrom,
  planChange,
} from '../records/plan-change.ts';
import {
  hasKey,
  isNewFile,
  type RecordRow,
  type StoredRecord,
  toStored,
} from '../records/stored-records.ts';
import { unlessDamaged } from '../unless-damaged.ts';
import { groupBy } from './documents.ts';
import { findFile } from './source-files.ts';

/** A row of a record. Rows that come from several servers are JSON, which has no bytes. */
export interface FoundRecord extends Omit<RecordRow, 'hash' | 'cited'> {
  /** Base64. */
  hash: string;
  /** The same. */
  cited: string | null;
}

/** Throws a SyntaxError if the stored JSON is damaged. */
export function storedOf(row: FoundRecord): StoredRecord {
  const cited = row.cited === null ? null : Buffer.from(row.cited, 'base64');
  return toStored({ ...row, hash: Buffer.from(row.hash, 'base64'), cited });
}

/** The columns of `FoundRecord`, for a record `r` and its document `d`. */
const COLUMNS = `
  r.number, CASE WHEN r.document > 0 THEN r.document END AS document, r.source, r.part,
  encode(r.hash, 'base64') AS hash, r.updated_at, r.withheld, r.identifiers, r.fields, r.file,
  r.notice, r.details, encode(r.cited, 'base64') AS cited, coalesce(d.id, '') AS id, coalesce(d.title, '') AS title,
  coalesce(d.abstract, '') AS abstract, coalesce(d.year, 0) AS year,
  coalesce(d.authors, '[]') AS authors, coalesce(d.venue, '') AS venue`;
const WITH_DOCUMENT = 'LEFT JOIN documents d ON d.shard = r.shard AND d.number = r.document';

/** Returns the records `r` for which a condition holds, in the order of their numbers. */
export function readRecords(
  { query }: Queries,
  condition: string,
  values: readonly Value[] = [],
): Promise<FoundRecord[]> {
  return query<FoundRecord>(
    `SELECT ${COLUMNS} FROM source_records r ${WITH_DOCUMENT} WHERE ${condition} ORDER BY r.number`,
    values,
  );
}

/** Returns documents with their records; undefined for each that is damaged or missing. */
export async function readWithRecords(
  queries: Queries,
  documents: readonly DocumentNumber[],
): Promise<(DocumentWithSources | undefined)[]> {
  if (documents.length === 0) return [];
  const rows = await readRecords(
    queries,
    'r.document = ANY($1::integer[]) AND d.number IS NOT NULL',
    [documents],
  );
  const found = groupBy(rows, ({ document }) => document as DocumentNumber);
  return documents.map((document) => {
    const records = unlessDamaged(() => found.get(document)?.map(storedOf)) ?? [];
    // Every record on PostgreSQL has a hash.
    const merged = soundMerge(records, () => true);
    return merged && { records, merged };
  });
}

/**
 * Returns for each list of keys the documents with one of them, compared without case. Leaves out those
 * of damaged records, and calls `onDamage` for each.
 */
export async function readWithKeys(
  { query }: Queries,
  keys: readonly (readonly string[])[],
  onDamage: () => void,
): Promise<DocumentNumber[][]> {
  const all = [...new Set(keys.flat())];
  if (all.length === 0) return keys.map(() => []);
  const rows = await query<FoundRecord & { key: number }>(
    `SELECT ${COLUMNS}, found.key
     FROM unnest($1::bigint[]) AS wanted (key) CROSS JOIN LATERAL (
         SELECT shard, key, record FROM record_keys WHERE key = wanted.key
         ORDER BY record LIMIT ${RECORDS_PER_GROUP_MAX}) AS found
       JOIN source_records r ON r.shard = found.shard AND r.number = found.record
       JOIN documents d ON d.shard = r.shard AND d.number = r.document
     ORDER BY r.number`,
    [all.map(hashKey)],
  );
  const records = groupBy(
    rows
      .sort((a, b) => a.number - b.number)
      .map((row) => ({ key: row.key, stored: unlessDamaged(() => storedOf(row)) })),
    ({ key }) => key,
  );
  const documentsWith = (key: string): DocumentNumber[] =>
    (records.get(hashKey(key)) ?? []).slice(0, RECORDS_PER_GROUP_MAX).flatMap(({ stored }) => {
      if (stored === undefined) onDamage();
      return stored && hasKey(stored, key) ? (stored.document ?? []) : [];
    });
  return keys.map((list) => [...new Set(list.flatMap(documentsWith))]);
}

/** Returns whether a record with this key has exactly this content. */
export async function isKept({ query }: Queries, key: string, hash: Buffer): Promise<boolean> {
  const rows = await query(
    `SELECT FROM record_keys k JOIN source_records r ON r.number = k.record AND r.shard = k.shard
     WHERE k.key = $1 AND r.hash = $2 LIMIT 1`,
    [hashKey(key), hash],
  );
  return rows.length > 0;
}

/** Returns the record that has the same name, undefined if there is none. */
export async function replacedBy(
  queries: Queries,
  record: KeptRecord,
): Promise<KeptRecord | undefined> {
  const wanted = [{ key: nameKeyOf(record), most: RECORDS_PER_GROUP_MAX - 1 }];
  const [found] = await readRecordsOfKeys(queries, wanted);
  return found?.map((stored) => stored.record).find((stored) => nameOf(stored) === nameOf(record));
}

/** Returns at most one record more than wanted of each key. */
async function readRecordsOfKeys(
  { query }: Queries,
  wanted: readonly WantedKey[],
): Promise<StoredRecord[][]> {
  const rows = await query<FoundRecord & { place: number }>(
    `SELECT w.place, ${COLUMNS}
     FROM unnest($1::bigint[], $2::integer[]) WITH ORDINALITY AS w (key, most, place)
     CROSS JOIN LATERAL (SELECT shard, record FROM record_keys WHERE key = w.key LIMIT w.most + 1) k
     JOIN source_records r ON r.number = k.record AND r.shard = k.shard ${WITH_DOCUMENT}
     ORDER BY r.number`,
    [wanted.map(({ key }) => hashKey(key)), wanted.map(({ most }) => most)],
  );
  const found = groupBy(rows, ({ place }) => place - 1);
  return wanted.map((_, at) => found.get(at)?.map(storedOf) ?? []);
}

/** Returns the records that `gatherRecords` looks for, with a round trip for each step away from the first keys. */
export async function gather(
  queries: Queries,
  keys: readonly string[],
): Promise<Gathered | undefined> {
  const steps = gatherRecords(keys);
  let step = steps.next([]);
  while (!step.done) {
    const wanted = step.value;
    const found = await readRecordsOfKeys(queries, wanted);
    step = steps.next(
      found.map(
        (records, at): RecordsOfKey =>
          records.length > (wanted[at] as WantedKey).most ? 'too many' : records,
      ),
    );
  }
  return step.value;
}

/** Returns what an incoming record would change. It takes a few round trips. */
export async function plan(queries: Queries, incoming: IncomingRecord): Promise<Plan> {
  const gathered = await gather(queries, keysOfIncomingRecord(incoming));
  const numbers = documentsOf(gathered?.records ?? []);
  const documents =
    numbers.length === 0
      ? []
      : await queries.query<PlannedFrom>(
          `SELECT d.number, d.id, d.title, d.abstract, d.content_hash AS hash, w.reason
           FROM documents d LEFT JOIN withheld_documents w ON w.document = d.number AND w.shard = d.shard
           WHERE d.number = ANY ($1::integer[]) ORDER BY d.number`,
          [numbers],
        );
  const file = 'record' in incoming ? incoming.file : null;
  // The file matters only where the record may join others.
  const isNamed = isNewFile(file) && numbers.length > 0;
  const number = isNamed ? await findFile(queries, file) : undefined;
  return planChange(incoming, { gathered, documents, file: number });
}

/** Returns the stored vectors of documents by their texts. */
export async function readUnits(
  { query }: Queries,
  { before }: Plan,
  dimensions: number,
): Promise<Map<string, QuantizedUnit>> {
  const numbers = documentsOf(before);
  if (numbers.length === 0) return new Map();
  const rows = await query<StoredTextsRow>(
    `SELECT d.title, d.abstract, d.sentence_spans, f.entry AS "forwardEntry"
     FROM documents d JOIN forward_index f ON f.document = d.number AND f.shard = d.shard
     WHERE d.number = ANY ($1::integer[]) ORDER BY d.number`,
    [numbers],
  );
  return new Map(rows.flatMap((row) => unitsIn(row, dimensions)));
}
