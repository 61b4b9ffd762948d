import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateRun, ndcg, type Qrels, type Run } from '../../../src/search/eval/measures.ts';

/** Gains and discounts of trec_eval, written out: grade / log2(rank + 1). */
const LOG2_3 = Math.log2(3);

describe('ndcg', () => {
  it.each<[what: string, ranked: number[], grades: number[], value: number]>([
    ['the best order', [2, 1], [1, 2], 1],
    ['the worst order of two', [1, 2], [1, 2], (1 + 2 / LOG2_3) / (2 + 1 / LOG2_3)],
    ['a relevant document in place 1 of 1', [1], [1], 1],
    ['a relevant document in place 2', [0, 1], [1], 1 / LOG2_3],
    ['a relevant document in place 3', [0, 0, 1], [1], 1 / 2],
    ['one of two relevant documents', [1, 0], [1, 1], 1 / (1 + 1 / LOG2_3)],
    ['nothing found', [0, 0], [1], 0],
    ['nothing ranked', [], [1], 0],
    ['nothing to find', [0, 0], [0, 0], 0],
    ['a negative grade as 0', [-1, 1], [1, -1], 1 / LOG2_3],
    ['a document below the depth', [...Array(10).fill(0), 1], [1], 0],
    ['more relevant documents than the depth', Array(10).fill(1), Array(20).fill(1), 1],
  ])('is correct for %s', (_, ranked, grades, value) => {
    expect(ndcg(ranked, grades, 10)).toBeCloseTo(value, 12);
  });

  it('is 1 only for the ideal order, and in [0,1] for any', () => {
    const grades = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(grades, (ranked) => {
        const best = [...ranked].sort((a, b) => b - a);
        const value = ndcg(ranked, ranked, 10);
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1 + 1e-12);
        expect(ndcg(best, ranked, 10)).toBeCloseTo(Math.max(...ranked) > 0 ? 1 : 0, 12);
      }),
    );
  });
});

describe('evaluateRun', () => {
  it('averages over the queries that have a relevant document', () => {
    const qrels = qrelsOf({ q1: { a: 1 }, q2: { b: 2, c: 1 }, q3: { a: 0 } });
    const run = runOf({ q1: ['x', 'a'], q2: ['b', 'x', 'y', 'c'], q3: ['a'], q9: ['a'] });
    const measures = evaluateRun(run, qrels);
    const second = (2 + 1 / Math.log2(5)) / (2 + 1 / LOG2_3);
    expect(measures['nDCG@10']).toBeCloseTo((1 / LOG2_3 + second) / 2, 12);
    expect(measures['R@100']).toBe(1);
    expect(measures['MRR@10']).toBeCloseTo((1 / 2 + 1) / 2, 12);
  });

  it('counts a query that is missing from the run as 0', () => {
    const qrels = qrelsOf({ q1: { a: 1 }, q2: { b: 1 } });
    const run = runOf({ q1: ['a'] });
    expect(evaluateRun(run, qrels)).toEqual({ 'nDCG@10': 0.5, 'R@100': 0.5, 'MRR@10': 0.5 });
  });

  it.each<[place: number, measures: [ndcg: number, recall: number, mrr: number]]>([
    [1, [1, 1, 1]],
    [10, [1 / Math.log2(11), 1, 1 / 10]],
    [11, [0, 1, 0]],
    [100, [0, 1, 0]],
    [101, [0, 0, 0]],
  ])('counts rank %i only within the depth of each measure', (place, [gain, recall, mrr]) => {
    const ranking = Array.from({ length: 150 }, (_, i) => (i + 1 === place ? 'a' : `other${i}`));
    const measures = evaluateRun(runOf({ q: ranking }), qrelsOf({ q: { a: 1 } }));
    expect(measures['nDCG@10']).toBeCloseTo(gain, 12);
    expect(measures['R@100']).toBe(recall);
    expect(measures['MRR@10']).toBeCloseTo(mrr, 12);
  });

  it('is 0 without judgments', () => {
    const nothing = { 'nDCG@10': 0, 'R@100': 0, 'MRR@10': 0 };
    expect(evaluateRun(runOf({ q: ['a'] }), new Map())).toEqual(nothing);
    expect(evaluateRun(new Map(), qrelsOf({ q: { a: 0 } }))).toEqual(nothing);
  });
});

function qrelsOf(grades: Record<string, Record<string, number>>): Qrels {
  return new Map(
    Object.entries(grades).map(([query, documents]) => [query, new Map(Object.entries(documents))]),
  );
}

function runOf(rankings: Record<string, string[]>): Run {
  return new Map(
    Object.entries(rankings).map(([query, ids]) => [
      query,
      ids.map((id, index) => ({ id, score: 1 / (index + 1) })),
    ]),
  );
}
