import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDenseRetriever } from '../../src/store/dense.ts';
import { createIndexWriter } from '../../src/store/index-writer.ts';
import type { Embedding, Ranking } from '../../src/types.ts';
import { memoryIndex, TOY_DIMENSIONS, toyIndexed, toyVector } from './memory-index.ts';

describe('the dense retriever', () => {
  it('ranks as counting the differing signs of all documents does', () => {
    const component = fc.constantFrom(-1, -0.001, 0, 0.001, 1);
    const vector = fc
      .array(component, { minLength: TOY_DIMENSIONS, maxLength: TOY_DIMENSIONS })
      .map((components) => Float32Array.from(components));
    const anyCase = fc.tuple(
      fc.array(vector, { maxLength: 12 }),
      vector,
      fc.integer({ min: 1, max: 12 }),
    );
    fc.assert(
      fc.property(anyCase, ([vectors, query, limit]) => {
        const found = retrieverOver(vectors).retrieve(query, limit);
        const expected = bruteForce(vectors, query).slice(0, limit);
        expect(found.map(({ document }) => document)).toEqual(
          expected.map(({ document }) => document),
        );
        for (const [i, { score }] of expected.entries()) expect(found[i]?.score).toBeCloseTo(score);
      }),
      { numRuns: 50 },
    );
  });

  it('gives 1 to the same signs and 0 to the opposite ones', () => {
    const query = toyVector('Tides');
    const vectors = [query.map((component) => -component), query, toyVector('Moon')];
    const ranking = retrieverOver(vectors).retrieve(query, 10);
    expect(ranking[0]).toEqual({ document: 2, score: 1 });
    expect(ranking.at(-1)).toEqual({ document: 1, score: 0 });
  });

  it('takes a query that is a part of a larger array', () => {
    const both = Float32Array.from([...toyVector('Moon'), ...toyVector('Tides')]);
    const retriever = retrieverOver([toyVector('Moon'), toyVector('Tides')]);
    const [best] = retriever.retrieve(both.subarray(TOY_DIMENSIONS), 1);
    expect(best).toEqual({ document: 2, score: 1 });
  });

  it('finds nothing in an empty index', () => {
    expect(retrieverOver([]).retrieve(toyVector('Tides'), 10)).toEqual([]);
  });
});

function retrieverOver(vectors: readonly Embedding[]) {
  const db = memoryIndex();
  const documents = vectors.map((vector, index) => ({
    ...toyIndexed({ id: `${index}`, title: 'Tides' }),
    vectors: [vector, vector],
  }));
  createIndexWriter(db).write(documents);
  return createDenseRetriever(db);
}

function bruteForce(vectors: readonly Embedding[], query: Embedding): Ranking {
  return vectors
    .map((vector, index) => {
      const differing = vector.filter((component, i) => component > 0 !== (query[i] as number) > 0);
      return { document: index + 1, score: 1 - differing.length / query.length };
    })
    .sort((a, b) => b.score - a.score || a.document - b.document);
}
