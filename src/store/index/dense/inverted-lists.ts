/**
 * Cells: groups of documents with similar vectors, so that a dense search looks at the nearest
 * groups and not at everything. A new document joins the cell with the nearest centre; a cell that
 * has grown too large is split in two. So nothing needs to be rebuilt by hand, every step is part
 * of a short transaction, and cells stay of one size however large the index grows.
 *
 *   cells           the centre of each cell
 *   cell_members    cell -> its documents (see cell-members.ts), in one blob: read in one step
 *   document_cells  document -> cell, for removal
 */
import type { DocumentNumber, Embedding } from '../../../types.ts';
import { type Centre, type Centres, createCentres } from '../../../vectors/centres.ts';
import { dotProductsOf } from '../../../vectors/dot-products.ts';
import { meanVector } from '../../../vectors/mean-vector.ts';
import { splitInTwo } from '../../../vectors/split-in-two.ts';
import type { Connection } from '../../database/connection.ts';
import { prepareReadSignals, type Signals } from '../forward-index.ts';
import { ownVectorOf, toFloatBlob, unpackOwn } from './embeddings.ts';
import { membersOf, packMember, withoutMembers } from './list-entries.ts';
import { openCentres } from './stored-centroids.ts';

/** Larger ones are split. Smaller cells are searched more selectively, but there are more of them. */
export const CELL_DOCUMENTS_MAX = 256;

/** Changes the cells; every call is a step of a transaction that ends with `flush`. */
export interface CellWriter {
  /** Puts a document, whose vectors are stored already, into its cell. */
  add(document: DocumentNumber, vector: Embedding): void;
  remove(document: DocumentNumber): void;
  /** Writes what was added, and splits the cells that have grown too large. */
  flush(): void;
  /** Moves the centre of a cell to the mean of its documents. */
  recentre(cell: number): void;
  /** Hands on the documents of a cell that are nearer to the centre of another one. */
  handOn(cell: number): void;
}

/** Cells around one among which a better place for its documents is looked for. */
const NEIGHBOURS = 64;

/** `dimensions` of the index's model. */
export function createCellWriter(db: Connection, dimensions: number): CellWriter {
  const steps = prepareSteps(db, dimensions);
  const { centres, membersIn, ownVector, put, takeOut, flush } = steps;
  return {
    flush,
    add(document, vector) {
      const nearest = centres.now().closest(dotProductsOf(vector));
      put(nearest ?? steps.create(vector), document, vector);
    },
    remove(document) {
      // What was added in the same transaction stands in no blob yet.
      flush();
      const cell = steps.takeDocumentCell(document);
      if (cell !== undefined) takeOut(cell, new Set([document]));
    },
    recentre(cell) {
      const documents = membersIn(cell);
      if (documents.length === 0) return;
      const vectors = documents.map(ownVector);
      const centre = meanVector(vectors);
      steps.setCentre(cell, centre);
      const records = vectors.map((own, i) =>
        packMember(documents[i] as DocumentNumber, own, centre),
      );
      steps.writeMembers(cell, Buffer.concat(records));
    },
    handOn(cell) {
      const documents = membersIn(cell);
      if (documents.length === 0) return;
      const neighbours = neighboursOf(cell, centres.now(), dimensions);
      const moved = new Set<DocumentNumber>();
      for (const document of documents) {
        const vector = ownVector(document);
        const nearest = neighbours.closest(dotProductsOf(vector)) ?? cell;
        if (nearest === cell) continue;
        moved.add(document);
        put(nearest, document, vector);
      }
      if (moved.size > 0) takeOut(cell, moved);
      flush();
    },
  };
}

/** The cell itself and those around it. */
function neighboursOf(cell: number, centres: Centres, dimensions: number): Centres {
  const around: Centre[] = [];
  for (const near of centres.compare(dotProductsOf(centres.vectorOf(cell))).inOrder()) {
    around.push({ cell: near.cell, vector: centres.vectorOf(near.cell) });
    if (around.length === NEIGHBOURS) break;
  }
  return createCentres(around, dimensions);
}

/** The steps that the changes are made of; what they add is written by `flush`. */
function prepareSteps(db: Connection, dimensions: number) {
  const statements = prepareStatements(db);
  const readSignals = prepareReadSignals(db);
  const centres = openCentres(db, dimensions);
  /** Records to append, by cell. */
  let pending = new Map<number, Buffer[]>();

  const ownVector = (document: DocumentNumber): Embedding => {
    const { vectors } = readSignals(document) as Signals;
    return unpackOwn(ownVectorOf(vectors, dimensions));
  };
  const { readMembers, writeMembers } = statements;
  const put = (cell: number, document: DocumentNumber, vector: Embedding): void => {
    append(pending, cell, packMember(document, vector, centres.now().vectorOf(cell)));
    statements.setDocumentCell.run(document, cell);
  };
  const create = (vector: Embedding): number => {
    const cell = Number(statements.addCell.run(toFloatBlob(vector)).lastInsertRowid);
    centres.now().set({ cell, vector });
    centres.changed();
    return cell;
  };
  const dissolve = (cell: number): void => {
    statements.removeCell.run(cell);
    centres.now().delete(cell);
    centres.changed();
  };
  const split = (cell: number, documents: readonly DocumentNumber[]): void => {
    const vectors = documents.map(ownVector);
    for (const { centre, indexes } of splitInTwo(vectors)) {
      const half = create(centre);
      for (const index of indexes) {
        put(half, documents[index] as DocumentNumber, vectors[index] as Embedding);
      }
    }
    dissolve(cell);
  };
  return {
    centres,
    ownVector,
    writeMembers,
    put,
    create,
    membersIn: (cell: number): DocumentNumber[] => membersOf(readMembers(cell), dimensions),
    takeDocumentCell: statements.takeDocumentCell,
    setCentre(cell: number, vector: Embedding): void {
      statements.setCentre.run(toFloatBlob(vector), cell);
      centres.now().set({ cell, vector });
      centres.changed();
    },
    takeOut(cell: number, documents: ReadonlySet<DocumentNumber>): void {
      const members = withoutMembers(readMembers(cell), documents, dimensions);
      if (members.length > 0) writeMembers(cell, members);
      else dissolve(cell);
    },
    flush(): void {
      // A half of a split may still be too large.
      while (pending.size > 0) {
        const added = pending;
        pending = new Map();
        for (const [cell, records] of added) {
          const members = Buffer.concat([readMembers(cell), ...records]);
          const documents = membersOf(members, dimensions);
          if (documents.length > CELL_DOCUMENTS_MAX) split(cell, documents);
          else writeMembers(cell, members);
        }
      }
    },
  };
}

function append(pending: Map<number, Buffer[]>, cell: number, record: Buffer): void {
  const records = pending.get(cell);
  if (records === undefined) pending.set(cell, [record]);
  else records.push(record);
}

function prepareStatements(db: Connection) {
  const read = db.prepare('SELECT members FROM cell_members WHERE cell = ?').pluck();
  const write = db.prepare('REPLACE INTO cell_members (cell, members) VALUES (?, ?)');
  const takeDocumentCell = db
    .prepare('DELETE FROM document_cells WHERE document = ? RETURNING cell')
    .pluck();
  return {
    addCell: db.prepare('INSERT INTO cells (centre) VALUES (?)'),
    setCentre: db.prepare('UPDATE cells SET centre = ? WHERE cell = ?'),
    removeCell: db.prepare('DELETE FROM cells WHERE cell = ?'),
    readMembers: (cell: number): Buffer =>
      (read.get(cell) as Buffer | undefined) ?? Buffer.alloc(0),
    writeMembers: (cell: number, members: Buffer) => write.run(cell, members),
    setDocumentCell: db.prepare('REPLACE INTO document_cells (document, cell) VALUES (?, ?)'),
    takeDocumentCell: (document: DocumentNumber) =>
      takeDocumentCell.get(document) as number | undefined,
  };
}
