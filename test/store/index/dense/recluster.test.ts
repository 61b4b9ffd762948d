import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../../src/store/database/connection.ts';
import { arrangeCells, needsArranging } from '../../../../src/store/index/dense/recluster.ts';
import { openCentres } from '../../../../src/store/index/dense/stored-centroids.ts';
import { createIndexWriter } from '../../../../src/store/index/documents/index-writer.ts';
import { scratchFolder } from '../../../ingest/index-files.ts';
import { clusteredVectors, dot } from '../../../support/vectors.ts';
import { emptyIndex, expectSound, memoryIndex, vectorIndexed } from '../memory-index.ts';

const DIMENSIONS = 48;
const CLUSTERS = 30;
const VECTORS = { seed: 1, dimensions: DIMENSIONS, clusters: CLUSTERS };
const DOCUMENTS = clusteredVectors(3000, VECTORS).map((vector, i) => vectorIndexed(`${i}`, vector));

describe('needsArranging', () => {
  it('is so when a tenth has changed since the last time', () => {
    const db = memoryIndex(DIMENSIONS);
    const writer = createIndexWriter(db);
    const needs = (): boolean => needsArranging(db);
    expect(needs()).toBe(false);
    writer.write(DOCUMENTS.slice(0, 100));
    expect(needs()).toBe(true);
    for (const _ of arrangeCells(db));
    expect(needs()).toBe(false);
    writer.write(DOCUMENTS.slice(100, 111));
    expect(needs()).toBe(false);
    writer.write(DOCUMENTS.slice(111, 112));
    expect(needs()).toBe(true);
    for (const _ of arrangeCells(db));
    writer.remove(DOCUMENTS.slice(0, 11).map(({ source }) => source.id));
    expect(needs()).toBe(true);
  });
});

describe('arrangeCells', () => {
  it('brings documents nearer to the centres of their cells, and tells how far it is', () => {
    const db = filled(memoryIndex(DIMENSIONS));
    const before = meanCosine(db);
    const shares = [...arrangeCells(db)];
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    expect(meanCosine(db)).toBeGreaterThan(before + 0.01);
    expectSound(db);
  });

  it('leaves a sound index after every step, and may stop there', () => {
    const db = filled(memoryIndex(DIMENSIONS));
    const total = [...arrangeCells(filled(memoryIndex(DIMENSIONS)))].length;
    expect(total).toBeGreaterThanOrEqual(4);
    let steps = 0;
    for (const _ of arrangeCells(db)) {
      expectSound(db);
      if (++steps === total - 1) break;
    }
    expect(needsArranging(db)).toBe(true);
  });

  it('lets another one write between its steps, cells that it was to come to included', async () => {
    const path = join(await scratchFolder(), 'index.db');
    const db = filled(emptyIndex(path, DIMENSIONS));
    const other = emptyIndex(path, DIMENSIONS);
    const writer = createIndexWriter(other);
    const before = countCells(db);
    let cluster = CLUSTERS;
    for (const _ of arrangeCells(db)) {
      // Nearly all of the last clusters: their cells are dissolved before their turn.
      cluster -= 6;
      const last = DOCUMENTS.filter((_, i) => i % CLUSTERS >= cluster);
      writer.remove(last.map(({ source }) => source.id));
      writer.write(last.slice(0, 20));
    }
    for (const connection of [db, other]) expectSound(connection);
    expect(countCells(db)).toBeLessThan(before - 4);
  });

  it('has nothing to do in an empty index', () => {
    const db = memoryIndex(DIMENSIONS);
    expect([...arrangeCells(db)]).toEqual([]);
    expectSound(db);
  });
});

/** The documents, cluster by cluster: the first cells know nothing of the later documents. */
function filled(db: Connection): Connection {
  const writer = createIndexWriter(db);
  for (let cluster = 0; cluster < CLUSTERS; cluster++) {
    writer.write(DOCUMENTS.filter((_, i) => i % CLUSTERS === cluster));
  }
  return db;
}

/** How near documents are to the centres of their cells. */
function meanCosine(db: Connection): number {
  const centres = openCentres(db, DIMENSIONS).now();
  const rows = db.prepare(
    'SELECT id, cell FROM document_cells JOIN documents ON number = document',
  );
  let sum = 0;
  for (const { id, cell } of rows.all() as { id: string; cell: number }[]) {
    sum += dot(DOCUMENTS[Number(id)]?.own ?? [], centres.vectorOf(cell));
  }
  return sum / DOCUMENTS.length;
}

function countCells(db: Connection): number {
  return db.prepare('SELECT count(*) FROM cells').pluck().get() as number;
}
