/**
 * Checks the cells: every document is in one of them, its record there is made from its vector and
 * the cell's centre, and the table of documents and cells says the same.
 */
import type { DocumentId, DocumentNumber, Embedding } from '../../../types.ts';
import type { Connection } from '../../database/connection.ts';
import { embeddingCount, ownVectorOf, unpackOwn } from '../dense/embeddings.ts';
import { CELL_DOCUMENTS_MAX } from '../dense/inverted-lists.ts';
import { memberBytes, membersOf, packMember } from '../dense/list-entries.ts';
import { toCentre } from '../dense/stored-centroids.ts';
import { readSignals, VECTORS_AT_SQL } from '../forward-index.ts';

const FLOAT_BYTES = 4;

interface CellRow {
  cell: number;
  centre: Buffer;
  members: Buffer | null;
}

interface DocumentRow {
  id: DocumentId;
  packed: Buffer | null;
  /** The cell that it is in by document_cells. */
  cell: number | null;
}

interface Member {
  cell: number;
  centre: Embedding;
  record: Buffer;
}

/** `dimensions` of the index's model. */
export function verifyCells(
  db: Connection,
  dimensions: number,
  problem: (text: string) => void,
): void {
  const stride = memberBytes(dimensions);
  const members = createMemberCheck(db, dimensions, problem);
  const rows = db
    .prepare('SELECT cell, centre, members FROM cells LEFT JOIN cell_members USING (cell)')
    .iterate() as IterableIterator<CellRow>;
  for (const { cell, centre, members: blob } of rows) {
    const count = (blob?.length ?? 0) / stride;
    if (blob === null || count === 0) problem(`cell ${cell}: it is empty`);
    else if (!Number.isInteger(count)) problem(`cell ${cell}: its records break off`);
    else if (centre.length !== dimensions * FLOAT_BYTES) {
      problem(`cell ${cell}: its centre has ${centre.length} bytes`);
    } else {
      if (count > CELL_DOCUMENTS_MAX) {
        problem(`cell ${cell}: ${count} documents, more than ${CELL_DOCUMENTS_MAX}`);
      }
      const { vector } = toCentre({ cell, centre });
      for (const [index, document] of membersOf(blob, dimensions).entries()) {
        const record = blob.subarray(index * stride, (index + 1) * stride);
        members.member(document, { cell, centre: vector, record });
      }
    }
  }
  members.finish();
}

interface MemberCheck {
  member(document: DocumentNumber, member: Member): void;
  /** After all members: tells which documents were not among them. */
  finish(): void;
}

function createMemberCheck(
  db: Connection,
  dimensions: number,
  problem: (text: string) => void,
): MemberCheck {
  const read = db.prepare(
    `SELECT id, packed, cell FROM documents
     LEFT JOIN signals s ON s.document = number
     LEFT JOIN document_cells c ON c.document = number WHERE number = ?`,
  );
  const readAll = db.prepare('SELECT number, id FROM documents ORDER BY number');
  const seen = new Set<DocumentNumber>();
  return {
    member(document, { cell, centre, record }) {
      const row = read.get(document) as DocumentRow | undefined;
      if (row === undefined) {
        problem(`cell ${cell}: it names document ${document}, which is not there`);
        return;
      }
      if (seen.has(document)) problem(`${row.id}: cell ${cell} is not the only one that names it`);
      else if (row.cell !== cell) {
        problem(`${row.id}: it is in cell ${cell}, by document_cells in ${row.cell ?? 'none'}`);
      }
      seen.add(document);
      const vector = ownVector(row.packed, dimensions);
      // A lost vector is told of elsewhere.
      if (vector === undefined || packMember(document, vector, centre).equals(record)) return;
      problem(`${row.id}: its record in cell ${cell} is not that of its vector`);
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
  const { vectors } = readSignals(packed);
  if (embeddingCount(vectors, dimensions) < 1) return undefined;
  return unpackOwn(ownVectorOf(vectors, dimensions));
}
