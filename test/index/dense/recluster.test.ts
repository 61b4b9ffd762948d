import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { needsReclustering, recluster } from '../../../src/index/dense/recluster.ts';
import { openCentroids } from '../../../src/index/dense/stored-centroids.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import { scratchFolder } from '../../ingest/index-files.ts';
import { clusteredVectors, dot } from '../../support/vectors.ts';
import { emptyIndex, expectSound, memoryIndex, vectorIndexed } from '../memory-index.ts';

const DIMENSIONS = 48;
const CLUSTERS = 30;
const VECTORS = { seed: 1, dimensions: DIMENSIONS, clusters: CLUSTERS };
const DOCUMENTS = clusteredVectors(3000, VECTORS).map((vector, i) => vectorIndexed(`${i}`, vector));

describe('needsReclustering', () => {
  it('is true after a tenth has changed since the last time', () => {
    const db = memoryIndex(DIMENSIONS);
    const writer = createIndexWriter(db);
    const needs = (): boolean => needsReclustering(db);
    expect(needs()).toBe(false);
    writer.write(DOCUMENTS.slice(0, 100));
    expect(needs()).toBe(true);
    for (const _ of recluster(db));
    expect(needs()).toBe(false);
    writer.write(DOCUMENTS.slice(100, 111));
    expect(needs()).toBe(false);
    writer.write(DOCUMENTS.slice(111, 112));
    expect(needs()).toBe(true);
    for (const _ of recluster(db));
    writer.remove(DOCUMENTS.slice(0, 11).map(({ source }) => source.id));
    expect(needs()).toBe(true);
  });
});

describe('recluster', () => {
  it('brings documents nearer to their centroids and yields its progress', () => {
    const db = filled(memoryIndex(DIMENSIONS));
    const before = meanCosine(db);
    const shares = [...recluster(db)];
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    expect(meanCosine(db)).toBeGreaterThan(before + 0.01);
    expectSound(db);
  });

  it('leaves a sound index after every step', () => {
    const db = filled(memoryIndex(DIMENSIONS));
    const total = [...recluster(filled(memoryIndex(DIMENSIONS)))].length;
    expect(total).toBeGreaterThanOrEqual(4);
    let steps = 0;
    for (const _ of recluster(db)) {
      expectSound(db);
      if (++steps === total - 1) break;
    }
    expect(needsReclustering(db)).toBe(true);
  });

  it('lets another connection change any list between its steps', async () => {
    const path = join(await scratchFolder(), 'index.db');
    const db = filled(emptyIndex(path, DIMENSIONS));
    const other = emptyIndex(path, DIMENSIONS);
    const writer = createIndexWriter(other);
    const before = countLists(db);
    let cluster = CLUSTERS;
    for (const _ of recluster(db)) {
      // Nearly all of the last clusters, whose lists are deleted before their turn.
      cluster -= 6;
      const last = DOCUMENTS.filter((_, i) => i % CLUSTERS >= cluster);
      writer.remove(last.map(({ source }) => source.id));
      writer.write(last.slice(0, 20));
    }
    for (const connection of [db, other]) expectSound(connection);
    expect(countLists(db)).toBeLessThan(before - 4);
  });

  it('does nothing in an empty index', () => {
    const db = memoryIndex(DIMENSIONS);
    expect([...recluster(db)]).toEqual([]);
    expectSound(db);
  });
});

/** Adds the documents by cluster, so that the first lists do not fit later documents. */
function filled(db: Connection): Connection {
  const writer = createIndexWriter(db);
  for (let cluster = 0; cluster < CLUSTERS; cluster++) {
    writer.write(DOCUMENTS.filter((_, i) => i % CLUSTERS === cluster));
  }
  return db;
}

/** The mean cosine of documents and the centroids of their lists. */
function meanCosine(db: Connection): number {
  const centroids = openCentroids(db, { dimensions: DIMENSIONS, comparedMax: 100 });
  const rows = db.prepare(
    'SELECT id, list FROM document_lists JOIN documents ON number = document',
  );
  let sum = 0;
  for (const { id, list } of rows.all() as { id: string; list: number }[]) {
    sum += dot(DOCUMENTS[Number(id)]?.own ?? [], centroids.vectorOf(list));
  }
  return sum / DOCUMENTS.length;
}

function countLists(db: Connection): number {
  return db.prepare('SELECT count(*) FROM inverted_lists').pluck().get() as number;
}
