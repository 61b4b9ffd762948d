/** The dense retriever compared with brute force over the stored vectors. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../../src/database/open.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import {
  createDenseRetriever,
  type DenseLimits,
} from '../../../src/index/dense/dense-retrieval.ts';
import {
  dequantizeOwn,
  encodeEmbeddings,
  ownVectorOf,
} from '../../../src/index/dense/embeddings.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import { claimModel } from '../../../src/index/index-facts.ts';
import type { Embedding, Ranking } from '../../../src/types.ts';
import { clusteredVectors, dot, near, unitVector, vectorSource } from '../../support/vectors.ts';
import {
  memoryIndex,
  TOY_DIMENSIONS,
  toyModel,
  toyVector,
  vectorIndexed,
} from '../memory-index.ts';

/** Not a multiple of a block of components. */
const DIMENSIONS = 100;
const COUNT = 3000;
const BEST = 50;
const FOUND = 150;

/** Probes all lists of any number of documents. */
const EVERYTHING: DenseLimits = {
  denseScannedMax: 1_000_000,
  filteredDenseScannedMax: 1000,
  filteredExactMax: 1000,
  centroidsComparedMax: 2048,
  exactScanMax: 0,
  listBytesCachedMax: 1e6,
};
/** A sixth of the documents. */
const BUDGET = { ...EVERYTHING, denseScannedMax: COUNT / 6 };

/** Room for no list, for some lists, and for all. */
const LIST_BYTES_CACHED = [0, 30_000, 1e6];

const everyDocument = Array.from({ length: COUNT }, (_, index) => index + 1);

describe('scan', () => {
  it('ranks any vectors as brute force does', () => {
    const vectors = fc.array(unitVector(17), { maxLength: 12 });
    const most = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(vectors, unitVector(17), most, (all, query, limit) => {
        const db = indexOf(all, 17);
        const found = createDenseRetriever(db, 17, EVERYTHING).scan(query, limit);
        expectNearest(found, cosinesWith(all, stored(query)), { most: limit, tolerance: 1e-4 });
      }),
      { numRuns: 50 },
    );
  });

  it('scores an equal vector 1 and the opposite one -1, with ties by document', () => {
    const query = toyVector('Tides');
    const all = [query.map((component) => -component), query, toyVector('Moon'), query];
    const retriever = createDenseRetriever(
      indexOf(all, TOY_DIMENSIONS),
      TOY_DIMENSIONS,
      EVERYTHING,
    );
    const found = retriever.scan(query, 10);
    expect(found.map(({ document }) => document)).toEqual([2, 4, 3, 1]);
    expect(found[0]?.score).toBeCloseTo(1);
    expect(found.at(-1)?.score).toBeCloseTo(-1);
  });
});

describe('retrieve', () => {
  const vectors = clusteredVectors(COUNT, { seed: 1, dimensions: DIMENSIONS, clusters: 60 });
  const draw = vectorSource(2, DIMENSIONS);
  const queries = Array.from({ length: 30 }, (_, i) => near(vectors[i * 97] as Embedding, draw()));
  /** Of all vectors, for tests that write nothing. */
  let db: Connection;
  beforeAll(() => {
    db = openStore({ path: ':memory:', lockWaitMs: 0 });
    claimModel(db, { ...toyModel, dimensions: DIMENSIONS });
    write(db, vectors);
    return () => void db.close();
  });

  it('agrees with brute force up to rounding if it probes all lists', () => {
    const retriever = createDenseRetriever(db, DIMENSIONS, EVERYTHING);
    for (const query of queries) {
      const exact = cosinesWith(vectors, query);
      const { nearest, scoresOf } = retriever.retrieve(query, FOUND);
      expectNearest(nearest, exact, { most: FOUND, tolerance: 0.2 });
      const { scores, unknown } = scoresOf([...exact.keys()]);
      expect(unknown).toHaveLength(0);
      const errors = [...exact.values()].map((cosine, i) => (scores[i] as number) - cosine);
      expect(Math.hypot(...errors) / Math.sqrt(COUNT)).toBeLessThan(0.05);
      expect(Math.max(...errors.map(Math.abs))).toBeLessThan(0.2);
    }
    expect(recall(retriever, queries, vectors)).toBeGreaterThan(0.99);
  });

  it('finds nearly all by probing the nearest lists within its budget', () => {
    const retriever = createDenseRetriever(db, DIMENSIONS, BUDGET);
    expect(recall(retriever, queries, vectors)).toBeGreaterThan(0.9);
    for (const query of queries) {
      const { nearest, scoresOf } = retriever.retrieve(query, FOUND);
      const ofNearest = scoresOf(nearest.map(({ document }) => document));
      expect(ofNearest.unknown).toHaveLength(0);
      expect([...ofNearest.scores]).toEqual(nearest.map(({ score }) => score));
      const { scores, unknown } = scoresOf(everyDocument);
      const seen = COUNT - unknown.length;
      expect(seen).toBeGreaterThanOrEqual(BUDGET.denseScannedMax);
      expect(seen).toBeLessThan(BUDGET.denseScannedMax + 256);
      // Documents that were not scanned share the cosine of the last probed centroid.
      const farthest = new Set(Array.from(unknown, (at) => scores[at]));
      expect(farthest.size).toBe(1);
      expect([...farthest][0]).toBeCloseTo(lastCentroidOf(db, query), 2);
    }
  });

  it('returns the same with and without lists in memory', () => {
    const found = everyDocument.filter((document) => document % 7 === 0);
    const all = LIST_BYTES_CACHED.map((listBytesCachedMax) => {
      const retriever = createDenseRetriever(db, DIMENSIONS, {
        ...BUDGET,
        listBytesCachedMax: listBytesCachedMax,
      });
      // Twice, the second time from memory.
      return [...queries, ...queries].map((query) => {
        const { nearest, scoresOf, scoresIn } = retriever.retrieve(query, FOUND);
        return {
          nearest,
          scores: scoresOf(found),
          lookedAt: scoresIn(found),
          again: scoresOf(found),
        };
      });
    });
    for (const { scores, again } of all[0] ?? []) expect(again).toEqual(scores);
    expect(all[1]).toEqual(all[0]);
    expect(all[2]).toEqual(all[0]);
  });

  it('scores documents in lists that were not probed as it does in probed lists', () => {
    const expected = queries.map((query) => {
      const everything = createDenseRetriever(db, DIMENSIONS, EVERYTHING);
      return everything.retrieve(query, FOUND).scoresOf(everyDocument).scores;
    });
    const retrievers = LIST_BYTES_CACHED.map((listBytesCachedMax) =>
      createDenseRetriever(db, DIMENSIONS, { ...BUDGET, listBytesCachedMax: listBytesCachedMax }),
    );
    const documents = fc.uniqueArray(fc.integer({ min: 1, max: COUNT }), { maxLength: 300 });
    fc.assert(
      fc.property(documents, fc.nat(queries.length - 1), (asked, at) => {
        const wanted = asked.map((document) => expected[at]?.[document - 1]);
        for (const retriever of retrievers) {
          const { scoresIn, scoresOf } = retriever.retrieve(queries[at] as Embedding, FOUND);
          expect([...scoresIn(asked)]).toEqual(wanted);
          // Scoring them does not make their lists probed ones.
          const { scores, unknown } = scoresOf(asked);
          for (const [index, score] of scores.entries()) {
            if (!unknown.includes(index)) expect(score).toBe(wanted[index]);
          }
        }
      }),
      { numRuns: 40 },
    );
  });

  it('finds documents written since and no removed ones', () => {
    const db = indexOf(vectors.slice(0, 1000));
    const writer = createIndexWriter(db);
    const retriever = createDenseRetriever(db, DIMENSIONS, BUDGET);
    const query = vectors[1500] as Embedding;
    const best = (): number | undefined => retriever.retrieve(query, FOUND).nearest[0]?.document;
    expect(best()).toBeLessThanOrEqual(1000);
    writer.write([vectorIndexed('new', query)]);
    expect(best()).toBe(1001);
    writer.write(vectors.slice(1000).map((vector, i) => vectorIndexed(`more${i}`, vector)));
    expect(retriever.retrieve(query, FOUND).nearest).toEqual(
      createDenseRetriever(db, DIMENSIONS, BUDGET).retrieve(query, FOUND).nearest,
    );
    writer.remove(['new', 'more500']);
    expect([1001, 1502]).not.toContain(best());
  });

  it('scans a small index exactly', () => {
    const few = vectors.slice(0, 40);
    const limits = { ...BUDGET, exactScanMax: 40 };
    const retriever = createDenseRetriever(indexOf(few), DIMENSIONS, limits);
    const query = queries[0] as Embedding;
    const { nearest, scoresOf, scoresIn } = retriever.retrieve(query, 10);
    const all = retriever.scan(query, 40);
    expect(nearest).toEqual(all.slice(0, 10));
    const documents = all.map(({ document }) => document);
    const scores = Float32Array.from(all, ({ score }) => score);
    expect(scoresOf(documents)).toEqual({ scores, unknown: new Uint32Array(0) });
    expect(scoresIn(documents)).toEqual(scores);
  });

  it('accepts a query that is a view of a larger array', () => {
    const both = Float32Array.from([...toyVector('Moon'), ...toyVector('Tides')]);
    const db = indexOf([toyVector('Moon'), toyVector('Tides')], TOY_DIMENSIONS);
    const retriever = createDenseRetriever(db, TOY_DIMENSIONS, EVERYTHING);
    const query = both.subarray(TOY_DIMENSIONS);
    expect(retriever.retrieve(query, FOUND).nearest[0]?.document).toBe(2);
    expect(retriever.scan(query, 1)[0]?.document).toBe(2);
  });

  it.each([0, 1000])('finds nothing in an empty index that is scanned up to %i', (most) => {
    const limits = { ...EVERYTHING, exactScanMax: most };
    const retriever = createDenseRetriever(memoryIndex(), TOY_DIMENSIONS, limits);
    expect(retriever.retrieve(toyVector('Tides'), FOUND).nearest).toEqual([]);
    expect(retriever.scan(toyVector('Tides'), 10)).toEqual([]);
  });
});

/** The cosine of the last probed centroid. */
function lastCentroidOf(db: Connection, query: Embedding): number {
  const lists = db
    .prepare(
      `SELECT centroid, count(*) AS documents
       FROM inverted_lists JOIN document_lists USING (list) GROUP BY list`,
    )
    .all() as { centroid: Buffer; documents: number }[];
  const near = lists
    .map(({ centroid, documents }) => {
      const values = Float32Array.from({ length: query.length }, (_, i) =>
        centroid.readFloatLE(4 * i),
      );
      return { documents, cosine: dot(values, query) / Math.hypot(...values) };
    })
    .sort((a, b) => b.cosine - a.cosine);
  let left = BUDGET.denseScannedMax;
  for (const { documents, cosine } of near) {
    left -= documents;
    if (left <= 0) return cosine;
  }
  throw new Error('all lists are probed');
}

function indexOf(vectors: readonly Embedding[], dimensions = DIMENSIONS): Connection {
  const db = memoryIndex(dimensions);
  write(db, vectors);
  return db;
}

/** Documents are numbered from 1 in the order of the vectors. */
function write(db: Connection, vectors: readonly Embedding[]): void {
  createIndexWriter(db).write(vectors.map((vector, i) => vectorIndexed(`${i}`, vector)));
}

/** A vector as the index decodes it. */
function stored(vector: Embedding): Embedding {
  return dequantizeOwn(ownVectorOf(encodeEmbeddings(vector, []), vector.length));
}

/** Stored vectors of unit length. They are compared with many queries. */
const unitVectors = new WeakMap<readonly Embedding[], Embedding[]>();

/** The cosine of each document's stored vector. */
function cosinesWith(vectors: readonly Embedding[], query: Embedding): Map<number, number> {
  const units = unitVectors.get(vectors) ?? vectors.map((vector) => unitOf(stored(vector)));
  unitVectors.set(vectors, units);
  const direction = unitOf(query);
  return new Map(units.map((unit, index) => [index + 1, dot(unit, direction)]));
}

function unitOf(vector: Embedding): Embedding {
  const length = Math.hypot(...vector);
  return vector.map((component) => component / length);
}

/** Expects the nearest documents, up to those that rounding may hide. */
function expectNearest(
  found: Ranking,
  exact: ReadonlyMap<number, number>,
  { most, tolerance }: { most: number; tolerance: number },
): void {
  expect(found).toHaveLength(Math.min(most, exact.size));
  const sorted = [...found].sort((a, b) => b.score - a.score || a.document - b.document);
  expect(found).toEqual(sorted);
  for (const { document, score } of found) {
    expect(Math.abs(score - (exact.get(document) as number))).toBeLessThan(tolerance);
  }
  const documents = new Set(found.map(({ document }) => document));
  expect(documents.size).toBe(found.length);
  const worst = found.at(-1)?.score ?? 0;
  for (const [document, cosine] of exact) {
    if (!documents.has(document)) expect(cosine).toBeLessThan(worst + tolerance);
  }
}

/** The share of the exact nearest documents that were found. */
function recall(
  retriever: ReturnType<typeof createDenseRetriever>,
  queries: readonly Embedding[],
  vectors: readonly Embedding[],
): number {
  let hits = 0;
  for (const query of queries) {
    const best = [...cosinesWith(vectors, query)].sort((a, b) => b[1] - a[1]).slice(0, BEST);
    const found = new Set(retriever.retrieve(query, FOUND).nearest.map(({ document }) => document));
    hits += best.filter(([document]) => found.has(document)).length;
  }
  return hits / (BEST * queries.length);
}
