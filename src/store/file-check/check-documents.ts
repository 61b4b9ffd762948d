/** Compares stored documents with their hashes. */
import { contentHash } from '../../identity/kept-record.ts';
import type { Connection } from '../database/connection.ts';
import { decodeSpans } from '../index/sentence-spans.ts';
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

function isWhole(row: Row): boolean {
  const [, id, title, abstract, year, authors, venue, hash, spans] = row;
  try {
    const fields = { id, title, abstract, year: Number(year), venue };
    if (!contentHash({ ...fields, authors: JSON.parse(authors) }).equals(hash)) return false;
    let end = 0;
    for (const span of decodeSpans(spans)) {
      if (span.start < end || span.end <= span.start || span.end > abstract.length) return false;
      end = span.end;
    }
    return true;
  } catch {
    // Authors that are no JSON, or a value of another type: not what was written, whatever it is.
    return false;
  }
}
