import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../../src/store/database/connection.ts';
import { ownVectorOf, unpackOwn } from '../../../../src/store/index/dense/embeddings.ts';
import {
  CELL_DOCUMENTS_MAX,
  createCellWriter,
} from '../../../../src/store/index/dense/inverted-lists.ts';
import { packMember, withoutMembers } from '../../../../src/store/index/dense/list-entries.ts';
import { toCentre } from '../../../../src/store/index/dense/stored-centroids.ts';
import { createIndexWriter } from '../../../../src/store/index/documents/index-writer.ts';
import { readSignals } from '../../../../src/store/index/forward-index.ts';
import { scratchFolder } from '../../../ingest/index-files.ts';
import { clusteredVectors, near, vectorSource } from '../../../support/vectors.ts';
import { emptyIndex, expectSound, memoryIndex, vectorIndexed } from '../memory-index.ts';

const DIMENSIONS = 48;

describe('cells', () => {
  it('are none without documents, one with a few, and split as they grow', () => {
    const db = memoryIndex(DIMENSIONS);
    const draw = vectorSource(1, DIMENSIONS);
    const writer = createIndexWriter(db);
    const sizes = [0, 1, CELL_DOCUMENTS_MAX - 1, 1].map((count, step) => {
      writer.write(Array.from({ length: count }, (_, i) => vectorIndexed(`${step}-${i}`, draw())));
      return cellsOf(db).length;
    });
    expect(sizes).toEqual([0, 1, 1, 2]);
    expectSound(db);
  });

  it('split as often as one transaction needs', () => {
    const db = memoryIndex(DIMENSIONS);
    const vectors = clusteredVectors(2000, { seed: 2, dimensions: DIMENSIONS, clusters: 12 });
    createIndexWriter(db).write(vectors.map((vector, i) => vectorIndexed(`${i}`, vector)));
    expect(cellsOf(db).length).toBeGreaterThanOrEqual(2000 / CELL_DOCUMENTS_MAX);
    expectSound(db);
  });

  it('split where all documents are the same', () => {
    const db = memoryIndex(DIMENSIONS);
    const vector = vectorSource(3, DIMENSIONS)();
    const same = Array.from({ length: 1000 }, (_, i) => vectorIndexed(`${i}`, vector));
    createIndexWriter(db).write(same);
    expect(cellsOf(db).length).toBeGreaterThanOrEqual(4);
    expectSound(db);
  });

  it('go with their last document', () => {
    const db = memoryIndex(DIMENSIONS);
    const ids = fillTwoCells(db);
    expect(cellsOf(db)).toHaveLength(2);
    createIndexWriter(db).remove(ids[0] as string[]);
    expect(cellsOf(db)).toHaveLength(1);
    expectSound(db);
    createIndexWriter(db).remove(ids[1] as string[]);
    expect(cellsOf(db)).toEqual([]);
    expectSound(db);
  });

  it('are found by a writer whose first act was to dissolve another one', () => {
    const db = memoryIndex(DIMENSIONS);
    const [gone, left] = fillTwoCells(db) as [string[], string[]];
    const writer = createIndexWriter(db);
    writer.remove(gone);
    const remaining = cellsOf(db);
    writer.write([vectorIndexed('new', vectorOf(db, left[0] as string))]);
    expect(cellsOf(db)).toEqual(remaining);
  });

  it('of another connection are found, and no longer where it has dissolved them', async () => {
    const path = join(await scratchFolder(), 'index.db');
    const [a, b] = [emptyIndex(path, DIMENSIONS), emptyIndex(path, DIMENSIONS)];
    const [writerA, writerB] = [createIndexWriter(a), createIndexWriter(b)];
    const [gone, left] = fillTwoCells(a, writerA) as [string[], string[]];
    const vectors = [gone, left].map(([id]) => vectorOf(a, id as string));
    writerB.write(vectors.map((vector, i) => vectorIndexed(`b${i}`, vector)));
    expect(cellsOf(b)).toHaveLength(2);
    writerB.remove([...gone, 'b0']);
    writerA.write(vectors.map((vector, i) => vectorIndexed(`a${i}`, vector)));
    expect(cellsOf(a)).toHaveLength(1);
    for (const db of [a, b]) expectSound(db);
  });
});

describe('the cell writer', () => {
  it('moves a centre to the mean of its documents, which stay', () => {
    const db = memoryIndex(DIMENSIONS);
    fillTwoCells(db);
    const before = membersByCell(db);
    const centres = db.prepare('SELECT centre FROM cells ORDER BY cell').pluck();
    const old = centres.all();
    createIndexWriter(db).remove(['0-0']);
    const writer = createCellWriter(db, DIMENSIONS);
    for (const cell of cellsOf(db)) writer.recentre(cell);
    expect(centres.all()).not.toEqual(old);
    expect(membersByCell(db).map(({ length }) => length)).toEqual(
      before.map((members) => members.filter((id) => id !== '0-0').length),
    );
    expectSound(db);
  });

  it('hands on documents that are nearer to another centre', () => {
    const db = memoryIndex(DIMENSIONS);
    fillTwoCells(db);
    const expected = membersByCell(db);
    const [first, second] = cellsOf(db) as [number, number];
    const strays = (expected[0] as string[]).slice(0, 3);
    for (const id of strays) moveTo(db, second, id);
    expectSound(db);
    const writer = createCellWriter(db, DIMENSIONS);
    writer.handOn(first);
    expect(membersByCell(db)).not.toEqual(expected);
    writer.handOn(second);
    expect(membersByCell(db)).toEqual(expected);
    expectSound(db);
  });

  it('leaves alone a cell that is gone', () => {
    const db = memoryIndex(DIMENSIONS);
    fillTwoCells(db);
    const writer = createCellWriter(db, DIMENSIONS);
    writer.recentre(999);
    writer.handOn(999);
    expectSound(db);
  });
});

/** Two clusters of documents, more than one cell holds; returns their ids. */
function fillTwoCells(db: Connection, writer = createIndexWriter(db)): string[][] {
  const draw = vectorSource(9, DIMENSIONS);
  const first = draw();
  const poles = [first, first.map((component) => -component)];
  const documents = poles.map((pole, kind) =>
    Array.from({ length: 150 }, (_, i) => vectorIndexed(`${kind}-${i}`, near(pole, draw()))),
  );
  writer.write(documents.flat());
  return documents.map((all) => all.map(({ source }) => source.id));
}

function cellsOf(db: Connection): number[] {
  return db.prepare('SELECT cell FROM cells ORDER BY cell').pluck().all() as number[];
}

/** The ids in each cell, in the order of the cells. */
function membersByCell(db: Connection): string[][] {
  const read = db.prepare(
    `SELECT id FROM document_cells JOIN documents ON number = document
     WHERE cell = ? ORDER BY number`,
  );
  return cellsOf(db).map((cell) => read.pluck().all(cell) as string[]);
}

function vectorOf(db: Connection, id: string): Float32Array {
  const read = db.prepare(
    'SELECT packed FROM signals JOIN documents ON document = number WHERE id = ?',
  );
  const { vectors } = readSignals(read.pluck().get(id) as Buffer);
  return unpackOwn(ownVectorOf(vectors, DIMENSIONS));
}

/** Puts a document into a cell where it does not belong. */
function moveTo(db: Connection, cell: number, id: string): void {
  const read = (sql: string, key: unknown): unknown => db.prepare(sql).pluck().get(key);
  const document = read('SELECT number FROM documents WHERE id = ?', id) as number;
  const from = read('SELECT cell FROM document_cells WHERE document = ?', document);
  const membersIn = (place: unknown): Buffer =>
    read('SELECT members FROM cell_members WHERE cell = ?', place) as Buffer;
  const { vector: centre } = toCentre({
    cell,
    centre: read('SELECT centre FROM cells WHERE cell = ?', cell) as Buffer,
  });
  const write = db.prepare('UPDATE cell_members SET members = ? WHERE cell = ?');
  write.run(withoutMembers(membersIn(from), new Set([document]), DIMENSIONS), from);
  const record = packMember(document, vectorOf(db, id), centre);
  write.run(Buffer.concat([membersIn(cell), record]), cell);
  db.prepare('UPDATE document_cells SET cell = ? WHERE document = ?').run(cell, document);
}
