/** What is stored of a document, compared with its hashes before anybody quotes it. Pure. */

import { type MergedDocument, mergeRecords } from '../../identity/merge-records.ts';
import { contentHash, recordHash } from '../../identity/record-hash.ts';
import type { SentenceSpan, SourceDocument } from '../../types.ts';
import type { StoredRecord } from '../records/stored-records.ts';
import { decodeSoundSpans } from '../sentence-spans.ts';
import { unlessDamaged } from '../unless-damaged.ts';

export interface StoredDocument extends SourceDocument {
  spans: SentenceSpan[];
}

/** The fields of a row. Those of a damaged row may be of any type. */
export interface StoredFields extends Omit<SourceDocument, 'authors'> {
  /** JSON. */
  authors: string;
  hash: Buffer;
  spans: Buffer;
}

/** The columns of a row, in the order of `DocumentRow`. */
export const DOCUMENT_COLUMNS =
  'id, title, abstract, year, authors, venue, content_hash, sentence_spans';

/** An array, because better-sqlite3 takes several times as long to make an object of a row. */
export type DocumentRow = [
  id: string,
  title: string,
  abstract: string,
  year: number | bigint,
  authors: string,
  venue: string,
  hash: Buffer,
  spans: Buffer,
];

export function fieldsOf(row: DocumentRow): StoredFields {
  const [id, title, abstract, year, authors, venue, hash, spans] = row;
  return { id, title, abstract, year: Number(year), authors, venue, hash, spans };
}

/** Returns undefined if the fields are not what was written. */
export function decodeDocument(fields: StoredFields): StoredDocument | undefined {
  const { id, title, abstract, year, venue, hash, spans } = fields;
  const authors = unlessDamaged(() => JSON.parse(fields.authors));
  if (authors === undefined || !Buffer.isBuffer(hash) || !Buffer.isBuffer(spans)) return undefined;
  const document = { id, title, abstract, year, venue, authors };
  // A hash of fields of other types is another one.
  if (!contentHash(document).equals(hash)) return undefined;
  const sound = decodeSoundSpans(spans, abstract.length);
  return sound && { ...document, spans: sound };
}

/**
 * Merges the records of a document. Returns undefined if there is none, or one is not what was
 * written. `isDocumentSound` is asked where the hash of a record is unknown.
 */
export function soundMerge(
  records: readonly StoredRecord[],
  isDocumentSound: () => boolean,
): MergedDocument | undefined {
  if (records.length === 0 || !records.every(matchesHash)) return undefined;
  if (records.some(({ hash }) => hash.length === 0) && !isDocumentSound()) return undefined;
  return mergeRecords(records.map(({ record }) => record));
}

function matchesHash({ record, cited, hash }: StoredRecord): boolean {
  return unlessDamaged(() => hash.length === 0 || recordHash(record, cited).equals(hash)) ?? false;
}
