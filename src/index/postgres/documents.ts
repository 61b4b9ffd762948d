/** Reads documents and their forward index entries, and finds them by id and title. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import { titleKeysOf } from '../../identity/title-keys.ts';
import type { DocumentNumber } from '../../types.ts';
import { missing } from '../documents/documents.ts';
import {
  decodeDocument,
  type StoredDocument,
  type StoredFields,
} from '../documents/stored-document.ts';
import { allKeysOf, DOCUMENTS_PER_KEY_MAX, rankByTitleKeys } from '../documents/title-index.ts';
import type { WithheldDocuments, WithheldReason } from '../documents/withheld-documents.ts';
import { decodeForwardEntry, type ForwardEntry } from '../forward-index.ts';
import { type TitleRow, titlesIn } from '../records/stored-records.ts';

/** Node 20 has no `Map.groupBy`. */
export function groupBy<Value>(
  values: readonly Value[],
  keyOf: (value: Value) => number,
): Map<number, Value[]> {
  const groups = new Map<number, Value[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group === undefined) groups.set(keyOf(value), [value]);
    else group.push(value);
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

/** Returns the titles of documents and of their records, unchecked; none for one that is missing. */
export async function readTitles(
  { query }: Queries,
  documents: readonly DocumentNumber[],
): Promise<string[][]> {
  if (documents.length === 0) return [];
  const rows = await query<TitleRow & { number: DocumentNumber }>(
    `SELECT d.number, d.title, r.fields FROM documents d LEFT JOIN source_records r
       ON r.shard = d.shard AND r.document = d.number AND r.fields IS NOT NULL
     WHERE d.number = ANY($1::integer[])`,
    [documents],
  );
  const found = groupBy(rows, ({ number }) => number);
  return documents.map((document) => titlesIn(found.get(document) ?? []));
}

/** Returns at most `most` documents whose titles resemble a title, the most similar first. */
export async function readWithTitle(
  { query }: Queries,
  title: string,
  most: number,
): Promise<DocumentNumber[]> {
  const keys = titleKeysOf(title);
  const all = allKeysOf(title);
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
