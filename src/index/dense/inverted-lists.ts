/**
 * The inverted file (IVF) of dense retrieval: each inverted list holds documents with similar
 * vectors, so that a search probes the lists nearest to the query instead of scanning everything. A
 * new document joins the list with the nearest centroid, and a list that grows too large is split
 * in two. So there is no training, every step fits in a short transaction, and lists keep their
 * size however large the index grows.
 *
 *   inverted_lists  list -> centroid, and the group of the centroid (see centroid-groups.ts)
 *   list_entries    list -> its entries in one blob (see list-entries.ts), read in one step
 *   document_lists  document -> list, for removal
 */

import type { Connection } from '../../database/sqlite/connection.ts';
import type { DocumentNumber, Embedding } from '../../types.ts';
import { type Centroid, type Centroids, createCentroids } from '../../vectors/centroids.ts';
import { dotProductsOf } from '../../vectors/dot-products.ts';
import { meanVector } from '../../vectors/mean-vector.ts';
import { splitInTwo } from '../../vectors/split-in-two.ts';
import { type ForwardEntry, prepareReadForwardEntry, type VectorTables } from '../forward-index.ts';
import { type CentroidGroupWriter, createCentroidGroupWriter } from './centroid-groups.ts';
import { dequantizeOwn, ownVectorOf, toFloatBlob } from './embeddings.ts';
import { documentsOf, encodeListEntry, withoutEntries } from './list-entries.ts';
import { openCentroids, type StoredCentroids } from './stored-centroids.ts';

/** Longer lists are split. Shorter lists select better, but there are more centroids to compare. */
export const LIST_DOCUMENTS_MAX = 256;

/** Changes the inverted lists. Every call is a step of a transaction that ends with `flush`. */
export interface InvertedListWriter {
  /**
   * Adds a document to the list with the nearest centroid. `vectors` are those that are stored, and
   * rounded: reclustering, which reads them back, must make the same entry.
   */
  add(document: DocumentNumber, vectors: Buffer): void;
  remove(document: DocumentNumber): void;
  /** Writes the added entries and splits the lists that have grown too large. */
  flush(): void;
  /** Moves the centroid of a list to the mean of its documents. */
  updateCentroid(list: number): void;
  /** Moves the documents of a list that are nearer to another centroid to that centroid's list. */
  reassign(list: number): void;
  /** Moves the centroid of a group of lists to the mean of the lists' centroids. */
  updateGroup(group: number): void;
  /** Moves the lists of a group that are nearer to another group's centroid to that group. */
  reassignGroup(group: number): void;
}

/** `reassign` considers as many lists, those nearest to the list itself. */
const NEIGHBOR_LISTS = 64;

/**
 * Centroids that a new document is compared with, and a list in search of its neighbors. If there are
 * more, those of the nearest groups are compared.
 */
const CENTROIDS_COMPARED_MAX = 4_096;

/** `dimensions` are those of the model of the tables. */
export function createInvertedListWriter(
  db: Connection,
  dimensions: number,
  tables: VectorTables = '',
): InvertedListWriter {
  const comparedMax = CENTROIDS_COMPARED_MAX;
  const centroids = openCentroids(db, { dimensions, comparedMax, tables });
  const groups = createCentroidGroupWriter(db, centroids, tables);
  const steps = prepareSteps(db, { centroids, groups, dimensions, tables });
  const { documentsIn, ownVector, put, takeOut, flush } = steps;
  return {
    flush,
    updateGroup: groups.updateCentroid,
    reassignGroup: groups.reassign,
    add(document, vectors) {
      const vector = dequantizeOwn(ownVectorOf(vectors, dimensions));
      const nearest = centroids.now().closest(dotProductsOf(vector));
      put(nearest ?? steps.create(vector, groups.create(vector)), document, vector);
    },
    remove(document) {
      // Documents added in the same transaction are not in a blob yet.
      flush();
      const list = steps.takeListOf(document);
      if (list !== undefined) takeOut(list, new Set([document]));
    },
    updateCentroid(list) {
      const documents = documentsIn(list);
      if (documents.length === 0) return;
      const vectors = documents.map(ownVector);
      const centroid = meanVector(vectors);
      steps.setCentroid(list, centroid);
      const entries = vectors.map((own, i) =>
        encodeListEntry(documents[i] as DocumentNumber, own, centroid),
      );
      steps.writeEntries(list, Buffer.concat(entries));
    },
    reassign(list) {
      const documents = documentsIn(list);
      if (documents.length === 0) return;
      const neighbors = neighborsOf(list, centroids, dimensions);
      const moved = new Set<DocumentNumber>();
      for (const document of documents) {
        const vector = ownVector(document);
        const nearest = neighbors.closest(dotProductsOf(vector)) ?? list;
        if (nearest === list) continue;
        moved.add(document);
        put(nearest, document, vector);
      }
      if (moved.size > 0) takeOut(list, moved);
      flush();
    },
  };
}

/** Returns the centroids of the list itself and of the lists around it. */
function neighborsOf(list: number, centroids: StoredCentroids, dimensions: number): Centroids {
  const vector = centroids.vectorOf(list);
  const group = 0;
  const lists: Centroid[] = [];
  for (const near of centroids.now().compare(dotProductsOf(vector)).inOrder()) {
    lists.push({ list: near.list, group, vector: centroids.vectorOf(near.list) });
    if (lists.length === NEIGHBOR_LISTS) break;
  }
  const groups = [{ group, vector }];
  return createCentroids({ groups, lists }, { dimensions, comparedMax: NEIGHBOR_LISTS });
}

interface StepTools {
  centroids: StoredCentroids;
  groups: CentroidGroupWriter;
  dimensions: number;
  tables: VectorTables;
}

/** The steps of the changes. `flush` writes the entries that they add. */
function prepareSteps(db: Connection, { centroids, groups, dimensions, tables }: StepTools) {
  const statements = prepareStatements(db, tables);
  const readForwardEntry = prepareReadForwardEntry(db, tables);
  /** The entries to append, by list. */
  let pending = new Map<number, Buffer[]>();

  const ownVector = (document: DocumentNumber): Embedding => {
    const { vectors } = readForwardEntry(document) as ForwardEntry;
    return dequantizeOwn(ownVectorOf(vectors, dimensions));
  };
  const { readEntries, writeEntries } = statements;
  const groupOf = (list: number): number => centroids.now().groupOf(list) as number;
  const put = (list: number, document: DocumentNumber, vector: Embedding): void => {
    append(pending, list, encodeListEntry(document, vector, centroids.vectorOf(list)));
    statements.setDocumentList.run(document, list);
  };
  const create = (vector: Embedding, group: number): number => {
    const list = Number(statements.addList.run(toFloatBlob(vector), group).lastInsertRowid);
    centroids.now().set({ list, group, vector });
    centroids.changed();
    return list;
  };
  const dissolve = (list: number): void => {
    const group = groupOf(list);
    statements.removeList.run(list);
    centroids.now().delete(list);
    centroids.changed();
    groups.settle(group);
  };
  const split = (list: number, documents: readonly DocumentNumber[]): void => {
    const vectors = documents.map(ownVector);
    for (const { centroid, indexes } of splitInTwo(vectors)) {
      const half = create(centroid, groupOf(list));
      for (const i of indexes) put(half, documents[i] as DocumentNumber, vectors[i] as Embedding);
    }
    dissolve(list);
  };
  return {
    ownVector,
    writeEntries,
    put,
    create,
    documentsIn: (list: number): DocumentNumber[] => documentsOf(readEntries(list), dimensions),
    takeListOf: statements.takeListOf,
    setCentroid(list: number, vector: Embedding): void {
      statements.setCentroid.run(toFloatBlob(vector), list);
      centroids.now().set({ list, group: groupOf(list), vector });
      centroids.changed();
    },
    takeOut(list: number, documents: ReadonlySet<DocumentNumber>): void {
      const kept = withoutEntries(readEntries(list), documents, dimensions);
      if (kept.length > 0) writeEntries(list, kept);
      else dissolve(list);
    },
    flush(): void {
      // Repeated, because a half of a split list may still be too large.
      while (pending.size > 0) {
        const added = pending;
        pending = new Map();
        for (const [list, entries] of added) {
          const all = Buffer.concat([readEntries(list), ...entries]);
          const documents = documentsOf(all, dimensions);
          if (documents.length > LIST_DOCUMENTS_MAX) split(list, documents);
          else writeEntries(list, all);
        }
      }
    },
  };
}

function append(pending: Map<number, Buffer[]>, list: number, entry: Buffer): void {
  const entries = pending.get(list);
  if (entries === undefined) pending.set(list, [entry]);
  else entries.push(entry);
}

function prepareStatements(db: Connection, tables: VectorTables) {
  const lists = `${tables}inverted_lists`;
  const read = db.prepare(`SELECT entries FROM ${tables}list_entries WHERE list = ?`).pluck();
  const write = db.prepare(`REPLACE INTO ${tables}list_entries (list, entries) VALUES (?, ?)`);
  const takeListOf = db
    .prepare(`DELETE FROM ${tables}document_lists WHERE document = ? RETURNING list`)
    .pluck();
  return {
    addList: db.prepare(`INSERT INTO ${lists} (centroid, centroid_group) VALUES (?, ?)`),
    setCentroid: db.prepare(`UPDATE ${lists} SET centroid = ? WHERE list = ?`),
    removeList: db.prepare(`DELETE FROM ${lists} WHERE list = ?`),
    readEntries: (list: number): Buffer =>
      (read.get(list) as Buffer | undefined) ?? Buffer.alloc(0),
    writeEntries: (list: number, entries: Buffer) => write.run(list, entries),
    setDocumentList: db.prepare(
      `REPLACE INTO ${tables}document_lists (document, list) VALUES (?, ?)`,
    ),
    takeListOf: (document: DocumentNumber) => takeListOf.get(document) as number | undefined,
  };
}
