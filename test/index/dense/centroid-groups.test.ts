/** Groups of centroids, in indexes with a list for each document. */
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import {
  createCentroidGroupWriter,
  GROUP_LISTS_MAX,
} from '../../../src/index/dense/centroid-groups.ts';
import { createDenseRetriever } from '../../../src/index/dense/dense-retrieval.ts';
import { recluster } from '../../../src/index/dense/recluster.ts';
import { openCentroids } from '../../../src/index/dense/stored-centroids.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import type { Embedding } from '../../../src/types.ts';
import { clusteredVectors, near, vectorSource } from '../../support/vectors.ts';
import { expectSound, memoryIndex, vectorIndexed } from '../memory-index.ts';
import { listPerDocument } from './list-per-document.ts';

const DIMENSIONS = 48;
const COUNT = 900;
const VECTORS = clusteredVectors(COUNT, { seed: 1, dimensions: DIMENSIONS, clusters: 30 });

describe('groups of centroids', () => {
  it('are split while they are too large', () => {
    const db = listPerDocument(memoryIndex(DIMENSIONS), VECTORS);
    writerFor(db).settle(1);
    expect(groupsOf(db).length).toBeGreaterThanOrEqual(COUNT / GROUP_LISTS_MAX);
    expectSound(db);
  });

  it('are deleted with their last list', () => {
    const db = listPerDocument(memoryIndex(DIMENSIONS), VECTORS.slice(0, 2));
    const writer = createIndexWriter(db);
    writer.remove(['0']);
    expect(groupsOf(db)).toEqual([1]);
    writer.remove(['1']);
    expect(groupsOf(db)).toEqual([]);
    writer.write([vectorIndexed('new', VECTORS[5] as Embedding)]);
    expect(groupsOf(db)).toHaveLength(1);
    expectSound(db);
  });

  it('are reclustered: lists move to the nearest group, and no group is too large', () => {
    const db = listPerDocument(memoryIndex(DIMENSIONS), VECTORS);
    writerFor(db).settle(1);
    const [first, second] = groupsOf(db) as [number, number];
    // Some lists in a group where they do not belong.
    db.prepare('UPDATE inverted_lists SET centroid_group = ? WHERE centroid_group = ?').run(
      first,
      second,
    );
    db.prepare('DELETE FROM centroid_groups WHERE number = ?').run(second);
    db.exec("UPDATE index_facts SET value = value + 1 WHERE name = 'centroids'");
    for (const _ of recluster(db));
    expect(groupsOf(db)).not.toContain(second);
    expectSound(db);
  });

  it('find nearly the same documents as a comparison with all centroids', () => {
    const db = listPerDocument(memoryIndex(DIMENSIONS), VECTORS);
    writerFor(db).settle(1);
    const limits = {
      denseScannedMax: 60,
      filteredDenseScannedMax: 60,
      filteredExactMax: 0,
      exactScanMax: 0,
      listBytesCachedMax: 1e6,
    };
    const flat = createDenseRetriever(db, DIMENSIONS, { ...limits, centroidsComparedMax: COUNT });
    const grouped = createDenseRetriever(db, DIMENSIONS, { ...limits, centroidsComparedMax: 300 });
    const draw = vectorSource(2, DIMENSIONS);
    let hits = 0;
    for (let at = 0; at < COUNT; at += 45) {
      const query = near(VECTORS[at] as Embedding, draw());
      const expected = flat.retrieve(query, 10).nearest;
      const found = new Set(grouped.retrieve(query, 10).nearest.map(({ document }) => document));
      hits += expected.filter(({ document }) => found.has(document)).length;
    }
    expect(hits / (10 * 20)).toBeGreaterThan(0.9);
  });

  it('score documents of lists that were not compared', () => {
    const db = listPerDocument(memoryIndex(DIMENSIONS), VECTORS);
    writerFor(db).settle(1);
    const limits = {
      denseScannedMax: 10,
      filteredDenseScannedMax: 60,
      filteredExactMax: 0,
      exactScanMax: 0,
      listBytesCachedMax: 1e6,
    };
    const every = Array.from({ length: COUNT }, (_, index) => index + 1);
    const [flat, grouped] = [COUNT, 200].map((centroidsComparedMax) =>
      createDenseRetriever(db, DIMENSIONS, { ...limits, centroidsComparedMax })
        .retrieve(VECTORS[7] as Embedding, 5)
        .scoresIn(every),
    );
    expect(grouped).toEqual(flat);
  });
});

function writerFor(db: Connection) {
  return createCentroidGroupWriter(
    db,
    openCentroids(db, { dimensions: DIMENSIONS, comparedMax: COUNT }),
  );
}

function groupsOf(db: Connection): unknown[] {
  return db.prepare('SELECT number FROM centroid_groups ORDER BY number').pluck().all();
}
