/** Compares stored documents with their hashes. */
import type { Connection } from '../database/connection.ts';
import { decodeDocument } from '../index/documents/stored-document.ts';
import { unlessDamaged } from '../index/unless-damaged.ts';
import { readInSteps } from './read-in-steps.ts';

/** The columns of a document, in the order in which they are read. */
type Row = [
  number: bigint,
  id: string,
  title: string,
  abstract: string,
  year: bigint,
  authors: string,
  venue: string,
  content_hash: Buffer,
  sentence_spans: Buffer,
];

const DOCUMENTS = { name: 'documents', isWithoutRowid: false };

/**
 * Compares all documents. Yields after each read how long it took, in milliseconds. Returns what is
 * wrong; undefined if nothing is.
 */
export function* checkDocuments(
  db: Connection,
  readMs: number,
): Generator<number, string | undefined> {
  let altered = 0;
  let first: bigint | undefined;
  yield* readInSteps(db, DOCUMENTS, {
    select: 'number, id, title, abstract, year, authors, venue, content_hash, sentence_spans',
    readMs,
    onRow(values) {
      const row = values as Row;
      if (isWhole(row)) return;
      altered++;
      first ??= row[0];
    },
  });
  if (first === undefined) return undefined;
  return `${altered} rows are not what was written, the first of them number ${first}`;
}

function isWhole([, id, title, abstract, year, authors, venue, hash, spans]: Row): boolean {
  const fields = { id, title, abstract, year: Number(year), authors, venue, hash, spans };
  return unlessDamaged(() => decodeDocument(fields)) !== undefined;
}
