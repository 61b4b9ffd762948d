/** Dense retrieval among the documents that a filter allows. */
import { describe, expect, it } from 'vitest';
import {
  createDenseRetriever,
  type DenseLimits,
} from '../../../src/index/dense/dense-retrieval.ts';
import { recluster } from '../../../src/index/dense/recluster.ts';
import { createIndexWriter } from '../../../src/index/documents/index-writer.ts';
import type { FlaggedDocuments } from '../../../src/index/facets/allowed-documents.ts';
import type { Embedding } from '../../../src/types.ts';
import { clusteredVectors, dot, near, vectorSource } from '../../support/vectors.ts';
import { memoryIndex, vectorIndexed } from '../memory-index.ts';

const DIMENSIONS = 100;
const COUNT = 3000;
const CLUSTERS = 60;
const FOUND = 150;
const BEST = 50;
const LIMITS: DenseLimits = {
  denseScannedMax: COUNT / 6,
  filteredDenseScannedMax: (2 * COUNT) / 3,
  filteredExactMax: 20,
  centroidsComparedMax: 2048,
  exactScanMax: 0,
  listBytesCachedMax: 1e6,
};

const vectors = clusteredVectors(COUNT, { seed: 1, dimensions: DIMENSIONS, clusters: CLUSTERS });
const draw = vectorSource(2, DIMENSIONS);
const queries = Array.from({ length: 20 }, (_, i) => near(vectors[i * 97] as Embedding, draw()));

function indexOfVectors() {
  const db = memoryIndex(DIMENSIONS);
  createIndexWriter(db).write(vectors.map((vector, at) => vectorIndexed(`v${at}`, vector)));
  for (const _ of recluster(db));
  return db;
}

/** The documents whose numbers the rule allows. */
function allowing(rule: (document: number) => boolean): FlaggedDocuments {
  const flags = Uint8Array.from({ length: COUNT + 1 }, (_, at) => (at > 0 && rule(at) ? 1 : 0));
  const count = flags.reduce((sum, flag) => sum + flag, 0);
  return { flags, count, share: Math.max(1, count) / COUNT };
}

/** The allowed documents by falling cosine with a query. */
function exactly(query: Embedding, { flags }: FlaggedDocuments): number[] {
  const all = vectors.map((vector, at) => ({ document: at + 1, cosine: dot(query, vector) }));
  const allowed = all.filter(({ document }) => flags[document] === 1);
  return allowed.sort((a, b) => b.cosine - a.cosine).map(({ document }) => document);
}

describe('dense retrieval with a filter', () => {
  const db = () => indexOfVectors();

  it.each([
    ['half of the index', 2, LIMITS],
    ['an eighth', 8, LIMITS],
    ['an eighth, compared one by one', 8, { ...LIMITS, filteredExactMax: COUNT }],
    ['few', 200, LIMITS],
    ['an eighth of a small index', 8, { ...LIMITS, exactScanMax: COUNT }],
  ])('finds nearly all of the nearest among %s', (_, nth, limits) => {
    const retriever = createDenseRetriever(db(), DIMENSIONS, limits);
    const allowed = allowing((document) => document % nth === 0);
    let found = 0;
    let wanted = 0;
    for (const query of queries) {
      const { nearest } = retriever.retrieve(query, FOUND, allowed);
      const numbers = nearest.map(({ document }) => document);
      expect(numbers.every((document) => allowed.flags[document] === 1)).toBe(true);
      expect(numbers).toHaveLength(Math.min(FOUND, allowed.count));
      const best = exactly(query, allowed).slice(0, BEST);
      found += best.filter((document) => numbers.includes(document)).length;
      wanted += best.length;
    }
    expect(found / wanted).toBeGreaterThan(0.9);
  });

  it('goes on until it has enough, however far from the query they are', () => {
    const retriever = createDenseRetriever(db(), DIMENSIONS, {
      ...LIMITS,
      filteredDenseScannedMax: 0,
    });
    for (const query of queries) {
      // The farthest third.
      const far = new Set(
        exactly(
          query,
          allowing(() => true),
        ).slice(-COUNT / 3),
      );
      const allowed = allowing((document) => far.has(document));
      expect(retriever.retrieve(query, FOUND, allowed).nearest).toHaveLength(FOUND);
    }
  });

  it('finds nothing where nothing is allowed', () => {
    const retriever = createDenseRetriever(db(), DIMENSIONS, LIMITS);
    const none = allowing(() => false);
    expect(retriever.retrieve(queries[0] as Embedding, FOUND, none).nearest).toEqual([]);
  });
});
