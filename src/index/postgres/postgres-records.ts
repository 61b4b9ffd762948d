/** Reads records and what plans are made of. Each function is one round trip, unless it says so. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { KeptRecord } from '../../identity/kept-record.ts';
import { hashKey, nameKeyOf, nameOf } from '../../identity/record-keys.ts';
import type { DocumentNumber } from '../../types.ts';
import type { QuantizedUnit } from '../dense/embeddings.ts';
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
import type { SourceFile } from '../records/source-files.ts';
import { type RecordRow, type StoredRecord, toStored } from '../records/stored-records.ts';
import { hashOfName } from './postgres-source-files.ts';
import { RECORD_COLUMNS } from './record-columns.ts';

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
  const rows = await query<RecordRow & { place: number }>(
    `SELECT w.place, ${RECORD_COLUMNS}
     FROM unnest($1::bigint[], $2::integer[]) WITH ORDINALITY AS w (key, most, place)
     CROSS JOIN LATERAL (SELECT shard, record FROM record_keys WHERE key = w.key LIMIT w.most + 1) k
     JOIN source_records r ON r.number = k.record AND r.shard = k.shard
     LEFT JOIN documents d ON d.number = r.document AND d.shard = r.shard
     ORDER BY r.number`,
    [wanted.map(({ key }) => hashKey(key)), wanted.map(({ most }) => most)],
  );
  const found = wanted.map((): StoredRecord[] => []);
  for (const { place, ...row } of rows) found[place - 1]?.push(toStored(row));
  return found;
}

/** Takes a round trip for each step away from the first keys. */
async function gather(queries: Queries, keys: readonly string[]): Promise<Gathered | undefined> {
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
  const documents = numbers.length === 0 ? [] : await readPlannedFrom(queries, numbers);
  const file = 'record' in incoming ? incoming.file : null;
  // The file matters only where the record may join others.
  const isNamed = typeof file === 'object' && file !== null && numbers.length > 0;
  const number = isNamed ? await findFile(queries, file) : undefined;
  return planChange(incoming, { gathered, documents, file: number });
}

async function readPlannedFrom(
  { query }: Queries,
  numbers: readonly DocumentNumber[],
): Promise<PlannedFrom[]> {
  return await query<PlannedFrom>(
    `SELECT d.number, d.title, d.abstract, d.content_hash AS hash, w.reason
     FROM documents d LEFT JOIN withheld_documents w ON w.document = d.number AND w.shard = d.shard
     WHERE d.number = ANY ($1::integer[]) ORDER BY d.number`,
    [numbers],
  );
}

async function findFile({ query }: Queries, file: SourceFile): Promise<number | undefined> {
  const [row] = await query<{ number: number }>(
    'SELECT number FROM source_files WHERE name_hash = $1',
    [hashOfName(file)],
  );
  return row?.number;
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
