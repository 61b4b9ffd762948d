/**
 * Checks the inverted lists: every document has one entry, which is made of its vector and the
 * list's centroid, and the table document_lists names the same list. Every list is in a group, and no
 * group is empty or too large.
 */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { DocumentId, DocumentNumber, Embedding } from '../../types.ts';
import { GROUP_LISTS_MAX } from '../dense/centroid-groups.ts';
import { dequantizeOwn, embeddingCount, ownVectorOf } from '../dense/embeddings.ts';
import { LIST_DOCUMENTS_MAX } from '../dense/inverted-lists.ts';
import { documentsOf, encodeListEntry, listEntryBytes } from '../dense/list-entries.ts';
import { fromFloatBlob } from '../dense/stored-centroids.ts';
import { decodeForwardEntry, VECTORS_AT_SQL } from '../forward-index.ts';

const FLOAT_BYTES = 4;

interface ListRow {
  list: number;
  centroid: Buffer;
  entries: Buffer | null;
}

interface DocumentRow {
  id: DocumentId;
  forwardEntry: Buffer | null;
  /** Its list according to document_lists. */
  list: number | null;
}

interface Entry {
  list: number;
  centroid: Embedding;
  bytes: Buffer;
}

/** `dimensions` are those of the index's model. */
export function verifyInvertedLists(
  db: Connection,
  dimensions: number,
  problem: (text: string) => void,
): void {
  const stride = listEntryBytes(dimensions);
  const check = createEntryCheck(db, dimensions, problem);
  const rows = db
    .prepare(
      'SELECT list, centroid, entries FROM inverted_lists LEFT JOIN list_entries USING (list)',
    )
    .iterate() as IterableIterator<ListRow>;
  for (const { list, centroid, entries: blob } of rows) {
    const count = (blob?.length ?? 0) / stride;
    if (blob === null || count === 0) problem(`list ${list} is empty`);
    else if (!Number.isInteger(count)) problem(`list ${list}: its last entry is incomplete`);
    else if (centroid.length !== dimensions * FLOAT_BYTES) {
      problem(`list ${list}: its centroid has ${centroid.length} bytes`);
    } else {
      if (count > LIST_DOCUMENTS_MAX) {
        problem(`list ${list} has ${count} documents, more than ${LIST_DOCUMENTS_MAX}`);
      }
      const vector = fromFloatBlob(centroid);
      for (const [index, document] of documentsOf(blob, dimensions).entries()) {
        const bytes = blob.subarray(index * stride, (index + 1) * stride);
        check.entry(document, { list, centroid: vector, bytes });
      }
    }
  }
  check.finish();
  verifyGroups(db, dimensions, problem);
}

interface GroupRow {
  number: number;
  bytes: number;
  lists: number;
}

function verifyGroups(db: Connection, dimensions: number, problem: (text: string) => void): void {
  const groups = db
    .prepare(
      `SELECT number, length(centroid_groups.centroid) AS bytes, count(list) AS lists
       FROM centroid_groups LEFT JOIN inverted_lists ON centroid_group = number GROUP BY number`,
    )
    .all() as GroupRow[];
  for (const { number, bytes, lists } of groups) {
    if (bytes !== dimensions * FLOAT_BYTES) {
      problem(`group ${number}: its centroid has ${bytes} bytes`);
    }
    if (lists === 0) problem(`group ${number} has no list`);
    if (lists > GROUP_LISTS_MAX) {
      problem(`group ${number} has ${lists} lists, more than ${GROUP_LISTS_MAX}`);
    }
  }
  const ungrouped = db
    .prepare(
      `SELECT list FROM inverted_lists LEFT JOIN centroid_groups ON number = centroid_group
       WHERE number IS NULL`,
    )
    .pluck()
    .all();
  for (const list of ungrouped) problem(`list ${list} is in no group`);
}

interface EntryCheck {
  entry(document: DocumentNumber, entry: Entry): void;
  /** Reports the documents without an entry. Call it after all entries. */
  finish(): void;
}

function createEntryCheck(
  db: Connection,
  dimensions: number,
  problem: (text: string) => void,
): EntryCheck {
  const read = db.prepare(
    `SELECT id, packed AS forwardEntry, list FROM documents
     LEFT JOIN signals s ON s.document = number
     LEFT JOIN document_lists l ON l.document = number WHERE number = ?`,
  );
  const readAll = db.prepare('SELECT number, id FROM documents ORDER BY number');
  const seen = new Set<DocumentNumber>();
  return {
    entry(document, { list, centroid, bytes }) {
      const row = read.get(document) as DocumentRow | undefined;
      if (row === undefined) {
        problem(`list ${list} names document ${document}, which does not exist`);
        return;
      }
      if (seen.has(document)) problem(`${row.id}: list ${list} is not the only one that names it`);
      else if (row.list !== list) {
        problem(`${row.id} is in list ${list}, but document_lists names ${row.list ?? 'none'}`);
      }
      seen.add(document);
      const vector = ownVector(row.forwardEntry, dimensions);
      // The check of the forward index reports a missing vector.
      if (vector === undefined || encodeListEntry(document, vector, centroid).equals(bytes)) return;
      problem(`${row.id}: its entry in list ${list} is not that of its vector`);
    },
    finish() {
      for (const { number, id } of readAll.iterate() as Iterable<{ number: number; id: string }>) {
        if (!seen.has(number)) problem(`${id} is in no inverted list`);
      }
    },
  };
}

function ownVector(forwardEntry: Buffer | null, dimensions: number): Embedding | undefined {
  if (forwardEntry === null || forwardEntry.length < VECTORS_AT_SQL) return undefined;
  const { vectors } = decodeForwardEntry(forwardEntry);
  if (embeddingCount(vectors, dimensions) < 1) return undefined;
  return dequantizeOwn(ownVectorOf(vectors, dimensions));
}
