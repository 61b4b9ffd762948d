/** Documents, their forward index entries, their records, and how they are found by name. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { MergedDocument } from '../../identity/merge-records.ts';
import { hashKey, keysOf } from '../../identity/record-keys.ts';
import { titleKeysOf } from '../../identity/title-keys.ts';
import type { DocumentNumber } from '../../types.ts';
import { missing } from '../documents/documents.ts';
import {
  decodeDocument,
  type StoredDocument,
  type StoredFields,
  soundMerge,
} from '../documents/stored-document.ts';
import { DOCUMENTS_PER_KEY_MAX, rankByTitleKeys } from '../documents/title-index.ts';
import type { WithheldDocuments, WithheldReason } from '../documents/withheld-documents.ts';
import { decodeForwardEntry, type ForwardEntry } from '../forward-index.ts';
import { RECORDS_PER_GROUP_MAX } from '../records/gather-records.ts';
import { type RecordRow, type StoredRecord, toStored } from '../records/stored-records.ts';
import { unlessDamaged } from '../unless-damaged.ts';

function groupBy<Value>(
  values: readonly Value[],
  keyOf: (value: Value) => number,
): Map<number, Value[]> {
  const groups = new Map<number, Value[]>();
  for (const value of values) {
    const key = keyOf(value);
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  return groups;
}

export async function readForwardEntries(
  { query }: Queries,
  documents: readonly DocumentNumber[],
): Promise<ForwardEntry[]> {
  if (documents.length === 0) return [];
  // The library reads bytes as hexadecimal digits. Base64 has a third fewer characters.
  const rows = await query<{ document: DocumentNumber; entry: string }>(
    `SELECT document, encode(entry, 'base64') AS entry FROM forward_index
     WHERE document = ANY($1::integer[])`,
    [documents],
  );
  const entries = new Map(
    rows.map(({ document, entry }) => {
      return [document, decodeForwardEntry(Buffer.from(entry, 'base64'))];
    }),
  );
  return documents.map((document) => entries.get(document) ?? missing(document));
}

interface DocumentRow extends Omit<StoredFields, 'hash' | 'spans'> {
  number: DocumentNumber;
  hash: string;
  spans: string;
}

/** Returns undefined for each document that is damaged or missing. */
export async function readDocuments(
  { query }: Queries,
  documents: readonly DocumentNumber[],
): Promise<(StoredDocument | undefined)[]> {
  if (documents.length === 0) return [];
  const rows = await query<DocumentRow>(
    `SELECT number, id, title, abstract, year, authors, venue,
       encode(content_hash, 'base64') AS hash, encode(sentence_spans, 'base64') AS spans
     FROM documents WHERE number = ANY($1::integer[])`,
    [documents],
  );
  const stored = rows.map(({ number, ...fields }) => {
    const hash = Buffer.from(fields.hash, 'base64');
    const spans = Buffer.from(fields.spans, 'base64');
    return [number, decodeDocument({ ...fields, hash, spans })] as const;
  });
  const found = new Map(stored);
  return documents.map((document) => found.get(document));
}

export async function readNumbers(
  { query }: Queries,
  ids: readonly string[],
): Promise<(DocumentNumber | undefined)[]> {
  // PostgreSQL stores no text with U+0000.
  const possible = ids.filter((id) => !id.includes('\u0000'));
  if (possible.length === 0) return ids.map(() => undefined);
  const rows = await query<{ id: string; number: DocumentNumber }>(
    'SELECT id, number FROM documents WHERE id = ANY($1::text[])',
    [possible],
  );
  const numbers = new Map(rows.map(({ id, number }) => [id, number]));
  return ids.map((id) => numbers.get(id));
}

const RECORDS_SQL = `SELECT r.*, encode(r.hash, 'base64') AS hash_text,
  d.id, d.title, d.abstract, d.year, d.authors, d.venue`;

interface FoundRow extends RecordRow {
  /** Rows that come from several servers are JSON, which has no bytes. */
  hash_text: string;
}

/** Returns undefined for a record that is damaged. */
function toSound(row: FoundRow): StoredRecord | undefined {
  return unlessDamaged(() => toStored({ ...row, hash: Buffer.from(row.hash_text, 'base64') }));
}

/** Returns undefined for each document that is damaged or missing. */
export async function readMerged(
  { query }: Queries,
  documents: readonly DocumentNumber[],
): Promise<(MergedDocument | undefined)[]> {
  if (documents.length === 0) return [];
  const rows = await query<FoundRow>(
    `${RECORDS_SQL}
     FROM source_records r JOIN documents d ON d.shard = r.shard AND d.number = r.document
     WHERE r.document = ANY($1::integer[]) ORDER BY r.number`,
    [documents],
  );
  const records = groupBy(rows, ({ document }) => document as DocumentNumber);
  return documents.map((document) => {
    const all = records.get(document)?.map(toSound) ?? [];
    // Every record on PostgreSQL has a hash.
    return all.includes(undefined) ? undefined : soundMerge(all as StoredRecord[], () => true);
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
  const rows = await query<FoundRow & { key: number }>(
    `${RECORDS_SQL}, found.key
     FROM unnest($1::bigint[]) AS wanted (key) CROSS JOIN LATERAL (
         SELECT shard, key, record FROM record_keys WHERE key = wanted.key
         ORDER BY record LIMIT ${RECORDS_PER_GROUP_MAX}) AS found
       JOIN source_records r ON r.shard = found.shard AND r.number = found.record
       JOIN documents d ON d.shard = r.shard AND d.number = r.document
     ORDER BY r.number`,
    [all.map(hashKey)],
  );
  const records = groupBy(
    rows.sort((a, b) => a.number - b.number).map((row) => ({ key: row.key, stored: toSound(row) })),
    ({ key }) => key,
  );
  const documentsWith = (key: string): DocumentNumber[] =>
    (records.get(hashKey(key)) ?? []).slice(0, RECORDS_PER_GROUP_MAX).flatMap(({ stored }) => {
      if (stored === undefined) onDamage();
      return stored && hasKey(stored, key) ? (stored.document ?? []) : [];
    });
  return keys.map((list) => [...new Set(list.flatMap(documentsWith))]);
}

function hasKey({ record }: StoredRecord, key: string): boolean {
  return keysOf(record).some((own) => own.toLowerCase() === key.toLowerCase());
}

/** Returns at most `most` documents whose titles resemble a title, the most similar first. */
export async function readWithTitle(
  { query }: Queries,
  title: string,
  most: number,
): Promise<DocumentNumber[]> {
  const keys = titleKeysOf(title);
  const all = [...new Set([...keys.whole, ...keys.pairs])];
  if (all.length === 0) return [];
  const rows = await query<{ key: number; document: DocumentNumber }>(
    `SELECT wanted.key, found.document
     FROM unnest($1::bigint[]) AS wanted (key) CROSS JOIN LATERAL (
       SELECT document FROM title_keys WHERE key = wanted.key
       ORDER BY document LIMIT ${DOCUMENTS_PER_KEY_MAX}) AS found`,
    [all],
  );
  const found = groupBy(
    rows.sort((a, b) => a.document - b.document),
    ({ key }) => key,
  );
  const documentsOf = (key: number): DocumentNumber[] =>
    (found.get(key) ?? []).slice(0, DOCUMENTS_PER_KEY_MAX).map(({ document }) => document);
  return rankByTitleKeys(keys, documentsOf).slice(0, most);
}

export async function readWithheld({ query }: Queries): Promise<WithheldDocuments> {
  const rows = await query<{ document: DocumentNumber; reason: WithheldReason }>(
    'SELECT document, reason FROM withheld_documents ORDER BY document',
  );
  return new Map(rows.map(({ document, reason }) => [document, reason]));
}
