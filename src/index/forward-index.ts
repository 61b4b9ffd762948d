/**
 * The forward index: for each document one entry with its vectors and its terms, from which a
 * search scores it. Both lie in one blob because reading it is most of the cost of a candidate, and
 * one row is read in half the time of two.
 *
 *   uint32 bytes of the vectors, little-endian | vectors (embeddings.ts) | terms (term-vectors.ts)
 */

import type { Connection } from '../database/sqlite/connection.ts';
import type { DocumentNumber } from '../types.ts';

/** The tables with vectors: those of searches, or those beside them for another model (next-vectors.ts). */
export type VectorTables = '' | 'next_';

const HEADER_BYTES = 4;

/** The first byte of the vectors, counted from 1 as SQL does. */
export const VECTORS_AT_SQL = HEADER_BYTES + 1;

export interface ForwardEntry {
  vectors: Buffer;
  terms: Buffer;
}

export function encodeForwardEntry({ vectors, terms }: ForwardEntry): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32LE(vectors.length);
  return Buffer.concat([header, vectors, terms]);
}

/** Decodes the entry from `start` to `end` of a blob. Its parts stay in the blob's memory. */
export function decodeForwardEntry(blob: Buffer, start = 0, end = blob.length): ForwardEntry {
  const vectorsAt = start + HEADER_BYTES;
  const termsAt = vectorsAt + blob.readUInt32LE(start);
  return { vectors: blob.subarray(vectorsAt, termsAt), terms: blob.subarray(termsAt, end) };
}

/** Returns a function that reads a document's entry, undefined if there is no such document. */
export function prepareReadForwardEntry(
  db: Connection,
  tables: VectorTables = '',
): (document: DocumentNumber) => ForwardEntry | undefined {
  const read = db.prepare(`SELECT packed FROM ${tables}signals WHERE document = ?`).pluck();
  return (document) => {
    const blob = read.get(document) as Buffer | undefined;
    return blob && decodeForwardEntry(blob);
  };
}

/**
 * Returns a function that reads the entries of several documents in their order, undefined if one
 * is missing. It takes less than half the work of reading them one by one, and they share one
 * memory.
 */
export function prepareReadForwardEntries(
  db: Connection,
): (documents: readonly DocumentNumber[]) => ForwardEntry[] | undefined {
  // SQLite cannot concatenate blobs as blobs. As text it joins them without a look at their bytes.
  const read = db
    .prepare(
      `SELECT group_concat(length(packed)), CAST(group_concat(packed, '') AS BLOB)
       FROM json_each(?) AS wanted CROSS JOIN signals ON signals.document = wanted.value`,
    )
    .raw();
  return (documents) => {
    if (documents.length === 0) return [];
    const [lengths, joined] = read.get(JSON.stringify(documents)) as [string | null, Buffer];
    const all: ForwardEntry[] = [];
    let at = 0;
    for (const length of lengths?.split(',') ?? []) {
      const end = at + Number(length);
      all.push(decodeForwardEntry(joined, at, end));
      at = end;
    }
    return all.length === documents.length ? all : undefined;
  };
}
