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
import { type Centroid, type Centroids, createCentroids } from '../../../vectors/centroids.ts';
import { dotProductsOf } from '../../../vectors/dot-products.ts';
import { meanVector } from '../../../vectors/mean-vector.ts';
import { splitInTwo } from '../../../vectors/split-in-two.ts';
import type { Connection } from '../../database/connection.ts';
import { type ForwardEntry, prepareReadForwardEntry } from '../forward-index.ts';
import { dequantizeOwn, ownVectorOf, toFloatBlob } from './embeddings.ts';
import { documentsOf, encodeListEntry, withoutEntries } from './list-entries.ts';
import { openCentroids } from './stored-centroids.ts';

/** Larger ones are split. Smaller cells are searched more selectively, but there are more of them. */
export const LIST_DOCUMENTS_MAX = 256;

/** Changes the cells; every call is a step of a transaction that ends with `flush`. */
export interface InvertedListWriter {
  /** Puts a document, whose vectors are stored already, into its cell. */
  add(document: DocumentNumber, vector: Embedding): void;
  remove(document: DocumentNumber): void;
  /** Writes what was added, and splits the cells that have grown too large. */
  flush(): void;
  /** Moves the centre of a cell to the mean of its documents. */
  updateCentroid(list: number): void;
  /** Hands on the documents of a cell that are nearer to the centre of another one. */
  reassign(list: number): void;
}

/** Cells around one among which a better place for its documents is looked for. */
const NEIGHBOURS = 64;

/** `dimensions` of the index's model. */
export function createInvertedListWriter(db: Connection, dimensions: number): InvertedListWriter {
  const steps = prepareSteps(db, dimensions);
  const { centroids, membersIn, ownVector, put, takeOut, flush } = steps;
  return {
    flush,
    add(document, vector) {
      const nearest = centroids.now().closest(dotProductsOf(vector));
      put(nearest ?? steps.create(vector), document, vector);
    },
    remove(document) {
      // What was added in the same transaction stands in no blob yet.
      flush();
      const list = steps.takeDocumentList(document);
      if (list !== undefined) takeOut(list, new Set([document]));
    },
    updateCentroid(list) {
      const documents = membersIn(list);
      if (documents.length === 0) return;
      const vectors = documents.map(ownVector);
      const centroid = meanVector(vectors);
      steps.setCentroid(list, centroid);
      const records = vectors.map((own, i) =>
        encodeListEntry(documents[i] as DocumentNumber, own, centroid),
      );
      steps.writeMembers(list, Buffer.concat(records));
    },
    reassign(list) {
      const documents = membersIn(list);
      if (documents.length === 0) return;
      const neighbours = neighboursOf(list, centroids.now(), dimensions);
      const moved = new Set<DocumentNumber>();
      for (const document of documents) {
        const vector = ownVector(document);
        const nearest = neighbours.closest(dotProductsOf(vector)) ?? list;
        if (nearest === list) continue;
        moved.add(document);
        put(nearest, document, vector);
      }
      if (moved.size > 0) takeOut(list, moved);
      flush();
    },
  };
}

/** The cell itself and those around it. */
function neighboursOf(list: number, centroids: Centroids, dimensions: number): Centroids {
  const around: Centroid[] = [];
  for (const near of centroids.compare(dotProductsOf(centroids.vectorOf(list))).inOrder()) {
    around.push({ list: near.list, vector: centroids.vectorOf(near.list) });
    if (around.length === NEIGHBOURS) break;
  }
  return createCentroids(around, dimensions);
}

/** The steps that the changes are made of; what they add is written by `flush`. */
function prepareSteps(db: Connection, dimensions: number) {
  const statements = prepareStatements(db);
  const readForwardEntry = prepareReadForwardEntry(db);
  const centroids = openCentroids(db, dimensions);
  /** Records to append, by cell. */
  let pending = new Map<number, Buffer[]>();

  const ownVector = (document: DocumentNumber): Embedding => {
    const { vectors } = readForwardEntry(document) as ForwardEntry;
    return dequantizeOwn(ownVectorOf(vectors, dimensions));
  };
  const { readMembers, writeMembers } = statements;
  const put = (list: number, document: DocumentNumber, vector: Embedding): void => {
    append(pending, list, encodeListEntry(document, vector, centroids.now().vectorOf(list)));
    statements.setDocumentList.run(document, list);
  };
  const create = (vector: Embedding): number => {
    const list = Number(statements.addList.run(toFloatBlob(vector)).lastInsertRowid);
    centroids.now().set({ list, vector });
    centroids.changed();
    return list;
  };
  const dissolve = (list: number): void => {
    statements.removeList.run(list);
    centroids.now().delete(list);
    centroids.changed();
  };
  const split = (list: number, documents: readonly DocumentNumber[]): void => {
    const vectors = documents.map(ownVector);
    for (const { centroid, indexes } of splitInTwo(vectors)) {
      const half = create(centroid);
      for (const index of indexes) {
        put(half, documents[index] as DocumentNumber, vectors[index] as Embedding);
      }
    }
    dissolve(list);
  };
  return {
    centroids,
    ownVector,
    writeMembers,
    put,
    create,
    membersIn: (list: number): DocumentNumber[] => documentsOf(readMembers(list), dimensions),
    takeDocumentList: statements.takeDocumentList,
    setCentroid(list: number, vector: Embedding): void {
      statements.setCentroid.run(toFloatBlob(vector), list);
      centroids.now().set({ list, vector });
      centroids.changed();
    },
    takeOut(list: number, documents: ReadonlySet<DocumentNumber>): void {
      const members = withoutEntries(readMembers(list), documents, dimensions);
      if (members.length > 0) writeMembers(list, members);
      else dissolve(list);
    },
    flush(): void {
      // A half of a split may still be too large.
      while (pending.size > 0) {
        const added = pending;
        pending = new Map();
        for (const [list, records] of added) {
          const members = Buffer.concat([readMembers(list), ...records]);
          const documents = documentsOf(members, dimensions);
          if (documents.length > LIST_DOCUMENTS_MAX) split(list, documents);
          else writeMembers(list, members);
        }
      }
    },
  };
}

function append(pending: Map<number, Buffer[]>, list: number, record: Buffer): void {
  const records = pending.get(list);
  if (records === undefined) pending.set(list, [record]);
  else records.push(record);
}

function prepareStatements(db: Connection) {
  const read = db.prepare('SELECT members FROM cell_members WHERE cell = ?').pluck();
  const write = db.prepare('REPLACE INTO cell_members (cell, members) VALUES (?, ?)');
  const takeDocumentList = db
    .prepare('DELETE FROM document_cells WHERE document = ? RETURNING cell')
    .pluck();
  return {
    addList: db.prepare('INSERT INTO cells (centre) VALUES (?)'),
    setCentroid: db.prepare('UPDATE cells SET centre = ? WHERE cell = ?'),
    removeList: db.prepare('DELETE FROM cells WHERE cell = ?'),
    readMembers: (list: number): Buffer =>
      (read.get(list) as Buffer | undefined) ?? Buffer.alloc(0),
    writeMembers: (list: number, members: Buffer) => write.run(list, members),
    setDocumentList: db.prepare('REPLACE INTO document_cells (document, cell) VALUES (?, ?)'),
    takeDocumentList: (document: DocumentNumber) =>
      takeDocumentList.get(document) as number | undefined,
  };
}
