/**
 * Checks the cells: every document is in one of them, its record there is made from its vector and
 * the cell's centre, and the table of documents and cells says the same.
 */
import type { DocumentId, DocumentNumber, Embedding } from '../../../types.ts';
import type { Connection } from '../../database/connection.ts';
import { dequantizeOwn, embeddingCount, ownVectorOf } from '../dense/embeddings.ts';
import { LIST_DOCUMENTS_MAX } from '../dense/inverted-lists.ts';
import { documentsOf, encodeListEntry, listEntryBytes } from '../dense/list-entries.ts';
import { toCentroid } from '../dense/stored-centroids.ts';
import { decodeForwardEntry, VECTORS_AT_SQL } from '../forward-index.ts';

const FLOAT_BYTES = 4;

interface ListRow {
  list: number;
  centroid: Buffer;
  members: Buffer | null;
}

interface DocumentRow {
  id: DocumentId;
  packed: Buffer | null;
  /** The cell that it is in by document_cells. */
  list: number | null;
}

interface Entry {
  list: number;
  centroid: Embedding;
  record: Buffer;
}

/** `dimensions` of the index's model. */
export function verifyInvertedLists(
  db: Connection,
  dimensions: number,
  problem: (text: string) => void,
): void {
  const stride = listEntryBytes(dimensions);
  const members = createEntryCheck(db, dimensions, problem);
  const rows = db
    .prepare('SELECT cell, centre, members FROM cells LEFT JOIN cell_members USING (cell)')
    .iterate() as IterableIterator<ListRow>;
  for (const { list, centroid, members: blob } of rows) {
    const count = (blob?.length ?? 0) / stride;
    if (blob === null || count === 0) problem(`cell ${list}: it is empty`);
    else if (!Number.isInteger(count)) problem(`cell ${list}: its records break off`);
    else if (centroid.length !== dimensions * FLOAT_BYTES) {
      problem(`cell ${list}: its centre has ${centroid.length} bytes`);
    } else {
      if (count > LIST_DOCUMENTS_MAX) {
        problem(`cell ${list}: ${count} documents, more than ${LIST_DOCUMENTS_MAX}`);
      }
      const { vector } = toCentroid({ list, centroid });
      for (const [index, document] of documentsOf(blob, dimensions).entries()) {
        const record = blob.subarray(index * stride, (index + 1) * stride);
        members.entry(document, { list, centroid: vector, record });
      }
    }
  }
  members.finish();
}

interface EntryCheck {
  entry(document: DocumentNumber, entry: Entry): void;
  /** After all members: tells which documents were not among them. */
  finish(): void;
}

function createEntryCheck(
  db: Connection,
  dimensions: number,
  problem: (text: string) => void,
): EntryCheck {
  const read = db.prepare(
    `SELECT id, packed, cell FROM documents
     LEFT JOIN signals s ON s.document = number
     LEFT JOIN document_cells c ON c.document = number WHERE number = ?`,
  );
  const readAll = db.prepare('SELECT number, id FROM documents ORDER BY number');
  const seen = new Set<DocumentNumber>();
  return {
    entry(document, { list, centroid, record }) {
      const row = read.get(document) as DocumentRow | undefined;
      if (row === undefined) {
        problem(`cell ${list}: it names document ${document}, which is not there`);
        return;
      }
      if (seen.has(document)) problem(`${row.id}: cell ${list} is not the only one that names it`);
      else if (row.list !== list) {
        problem(`${row.id}: it is in cell ${list}, by document_cells in ${row.list ?? 'none'}`);
      }
      seen.add(document);
      const vector = ownVector(row.packed, dimensions);
      // A lost vector is told of elsewhere.
      if (vector === undefined || encodeListEntry(document, vector, centroid).equals(record))
        return;
      problem(`${row.id}: its record in cell ${list} is not that of its vector`);
    },
    finish() {
      for (const { number, id } of readAll.iterate() as Iterable<{ number: number; id: string }>) {
        if (!seen.has(number)) problem(`${id}: it is in no cell`);
      }
    },
  };
}

function ownVector(packed: Buffer | null, dimensions: number): Embedding | undefined {
  if (packed === null || packed.length < VECTORS_AT_SQL) return undefined;
  const { vectors } = decodeForwardEntry(packed);
  if (embeddingCount(vectors, dimensions) < 1) return undefined;
  return dequantizeOwn(ownVectorOf(vectors, dimensions));
}
