import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { dequantizeOwn, ownVectorOf } from '../../../src/index/dense/embeddings.ts';
import {
  createInvertedListWriter,
  LIST_DOCUMENTS_MAX,
} from '../../../src/index/dense/inverted-lists.ts';
import { encodeListEntry, withoutEntries } from '../../../src/index/dense/list-entries.ts';
import { fromFloatBlob } from '../../../src/index/dense/stored-centroids.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import { decodeForwardEntry } from '../../../src/index/forward-index.ts';
import { scratchFolder } from '../../ingest/index-files.ts';
import { clusteredVectors, near, vectorSource } from '../../support/vectors.ts';
import { emptyIndex, expectSound, memoryIndex, vectorIndexed } from '../memory-index.ts';

const DIMENSIONS = 48;

describe('inverted lists', () => {
  it('are split as documents are added', () => {
    const db = memoryIndex(DIMENSIONS);
    const draw = vectorSource(1, DIMENSIONS);
    const writer = createIndexWriter(db);
    const sizes = [0, 1, LIST_DOCUMENTS_MAX - 1, 1].map((count, step) => {
      writer.write(Array.from({ length: count }, (_, i) => vectorIndexed(`${step}-${i}`, draw())));
      return listsOf(db).length;
    });
    expect(sizes).toEqual([0, 1, 1, 2]);
    expectSound(db);
  });

  it('are split repeatedly within one transaction', () => {
    const db = memoryIndex(DIMENSIONS);
    const vectors = clusteredVectors(2000, { seed: 2, dimensions: DIMENSIONS, clusters: 12 });
    createIndexWriter(db).write(vectors.map((vector, i) => vectorIndexed(`${i}`, vector)));
    expect(listsOf(db).length).toBeGreaterThanOrEqual(2000 / LIST_DOCUMENTS_MAX);
    expectSound(db);
  });

  it('are split even if all documents are equal', () => {
    const db = memoryIndex(DIMENSIONS);
    const vector = vectorSource(3, DIMENSIONS)();
    const same = Array.from({ length: 1000 }, (_, i) => vectorIndexed(`${i}`, vector));
    createIndexWriter(db).write(same);
    expect(listsOf(db).length).toBeGreaterThanOrEqual(4);
    expectSound(db);
  });

  it('are deleted with their last document', () => {
    const db = memoryIndex(DIMENSIONS);
    const ids = fillTwoLists(db);
    expect(listsOf(db)).toHaveLength(2);
    createIndexWriter(db).remove(ids[0] as string[]);
    expect(listsOf(db)).toHaveLength(1);
    expectSound(db);
    createIndexWriter(db).remove(ids[1] as string[]);
    expect(listsOf(db)).toEqual([]);
    expectSound(db);
  });

  it('are found by a writer that has first deleted another list', () => {
    const db = memoryIndex(DIMENSIONS);
    const [gone, left] = fillTwoLists(db) as [string[], string[]];
    const writer = createIndexWriter(db);
    writer.remove(gone);
    const remaining = listsOf(db);
    writer.write([vectorIndexed('new', vectorOf(db, left[0] as string))]);
    expect(listsOf(db)).toEqual(remaining);
  });

  it('of another connection are found, and no longer after it has deleted them', async () => {
    const path = join(await scratchFolder(), 'index.db');
    const [a, b] = [emptyIndex(path, DIMENSIONS), emptyIndex(path, DIMENSIONS)];
    const [writerA, writerB] = [createIndexWriter(a), createIndexWriter(b)];
    const [gone, left] = fillTwoLists(a, writerA) as [string[], string[]];
    const vectors = [gone, left].map(([id]) => vectorOf(a, id as string));
    writerB.write(vectors.map((vector, i) => vectorIndexed(`b${i}`, vector)));
    expect(listsOf(b)).toHaveLength(2);
    writerB.remove([...gone, 'b0']);
    writerA.write(vectors.map((vector, i) => vectorIndexed(`a${i}`, vector)));
    expect(listsOf(a)).toHaveLength(1);
    for (const db of [a, b]) expectSound(db);
  });
});

describe('createInvertedListWriter', () => {
  it('moves a centroid to the mean of its documents', () => {
    const db = memoryIndex(DIMENSIONS);
    fillTwoLists(db);
    const before = idsByList(db);
    const centroids = db.prepare('SELECT centroid FROM inverted_lists ORDER BY list').pluck();
    const old = centroids.all();
    createIndexWriter(db).remove(['0-0']);
    const writer = createInvertedListWriter(db, DIMENSIONS);
    for (const list of listsOf(db)) writer.updateCentroid(list);
    expect(centroids.all()).not.toEqual(old);
    expect(idsByList(db).map(({ length }) => length)).toEqual(
      before.map((ids) => ids.filter((id) => id !== '0-0').length),
    );
    expectSound(db);
  });

  it('moves documents to the list of a nearer centroid', () => {
    const db = memoryIndex(DIMENSIONS);
    fillTwoLists(db);
    const expected = idsByList(db);
    const [first, second] = listsOf(db) as [number, number];
    const strays = (expected[0] as string[]).slice(0, 3);
    for (const id of strays) moveTo(db, second, id);
    expectSound(db);
    const writer = createInvertedListWriter(db, DIMENSIONS);
    writer.reassign(first);
    expect(idsByList(db)).not.toEqual(expected);
    writer.reassign(second);
    expect(idsByList(db)).toEqual(expected);
    expectSound(db);
  });

  it('ignores a deleted list', () => {
    const db = memoryIndex(DIMENSIONS);
    fillTwoLists(db);
    const writer = createInvertedListWriter(db, DIMENSIONS);
    writer.updateCentroid(999);
    writer.reassign(999);
    expectSound(db);
  });
});

/** Writes two clusters of documents, more than one list may have. Returns their ids. */
function fillTwoLists(db: Connection, writer = createIndexWriter(db)): string[][] {
  const draw = vectorSource(9, DIMENSIONS);
  const first = draw();
  const poles = [first, first.map((component) => -component)];
  const documents = poles.map((pole, kind) =>
    Array.from({ length: 150 }, (_, i) => vectorIndexed(`${kind}-${i}`, near(pole, draw()))),
  );
  writer.write(documents.flat());
  return documents.map((all) => all.map(({ source }) => source.id));
}

function listsOf(db: Connection): number[] {
  return db.prepare('SELECT list FROM inverted_lists ORDER BY list').pluck().all() as number[];
}

/** The ids in each list, ordered by list. */
function idsByList(db: Connection): string[][] {
  const read = db.prepare(
    `SELECT id FROM document_lists JOIN documents ON number = document
     WHERE list = ? ORDER BY number`,
  );
  return listsOf(db).map((list) => read.pluck().all(list) as string[]);
}

function vectorOf(db: Connection, id: string): Float32Array {
  const read = db.prepare(
    'SELECT packed FROM signals JOIN documents ON document = number WHERE id = ?',
  );
  const { vectors } = decodeForwardEntry(read.pluck().get(id) as Buffer);
  return dequantizeOwn(ownVectorOf(vectors, DIMENSIONS));
}

/** Moves a document to a list where it does not belong. */
function moveTo(db: Connection, list: number, id: string): void {
  const read = (sql: string, key: unknown): unknown => db.prepare(sql).pluck().get(key);
  const document = read('SELECT number FROM documents WHERE id = ?', id) as number;
  const from = read('SELECT list FROM document_lists WHERE document = ?', document);
  const entriesIn = (place: unknown): Buffer =>
    read('SELECT entries FROM list_entries WHERE list = ?', place) as Buffer;
  const stored = read('SELECT centroid FROM inverted_lists WHERE list = ?', list) as Buffer;
  const centroid = fromFloatBlob(stored);
  const write = db.prepare('UPDATE list_entries SET entries = ? WHERE list = ?');
  write.run(withoutEntries(entriesIn(from), new Set([document]), DIMENSIONS), from);
  const entry = encodeListEntry(document, vectorOf(db, id), centroid);
  write.run(Buffer.concat([entriesIn(list), entry]), list);
  db.prepare('UPDATE document_lists SET list = ? WHERE document = ?').run(list, document);
}
