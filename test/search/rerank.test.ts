/** The order of a reranker: which searches get it, and what becomes of it if there is no time. */
import { describe, expect, it } from 'vitest';
import type { DistinctPaper } from '../../src/search/deduplicate.ts';
import { planRerank, type RerankDeps } from '../../src/search/rerank.ts';
import { readSentenceWeights } from '../../src/search/sentence-weights.ts';

const by = { query: 'tides', weights: readSentenceWeights({}) };

/** Papers without sentences, with falling scores. */
function papersOf(titles: readonly string[]): DistinctPaper[] {
  return titles.map((title, at) => ({
    ...({ document: at, score: 1 - at / 100, cited: { title, abstract: '', spans: [] } } as object),
  })) as DistinctPaper[];
}

/** Scores a text by its length. */
function depsOf(limits: RerankDeps['limits'], waitMs = 0): RerankDeps & { read: string[] } {
  const read: string[] = [];
  return {
    limits,
    read,
    reranker: {
      sha256: '',
      async score(_query, texts) {
        read.push(...texts);
        await new Promise((done) => setTimeout(done, waitMs));
        return texts.map((text) => text.length);
      },
    },
  };
}

const always = { rerank: 'always', rerankMs: 60_000 };
const onRequest = { rerank: 'on_request', rerankMs: 60_000 };

describe('planRerank', () => {
  it.each([
    [always, undefined, true],
    [always, true, true],
    [always, false, false],
    [onRequest, undefined, false],
    [onRequest, true, true],
    [onRequest, false, false],
  ])('with %j and the request %j: %j', (limits, rerank, expected) => {
    const request = { limit: 5, ...(rerank !== undefined && { rerank }) };
    expect(planRerank(request, depsOf(limits)) !== undefined).toBe(expected);
    expect(planRerank(request, { limits })).toBeUndefined();
  });

  it('reads at least 20 papers, and puts them into its order with the scores of their places', async () => {
    const deps = depsOf(always);
    const plan = planRerank({ limit: 3 }, deps);
    expect([plan?.papersMax, planRerank({ limit: 50 }, deps)?.papersMax]).toEqual([20, 50]);
    const titles = Array.from({ length: 22 }, (_, at) => 'x'.repeat(at + 1));
    const outcome = await plan?.apply(papersOf(titles), by, false);
    expect(deps.read).toEqual(titles.slice(0, 20));
    expect(outcome?.outcome).toBe(20);
    expect(outcome?.papers.map(({ cited }) => cited.title)).toEqual([
      ...[...titles.slice(0, 20)].reverse(),
      ...titles.slice(20),
    ]);
    const scores = outcome?.papers.map(({ score }) => score) ?? [];
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
  });

  it.each([
    ['late', { rerank: 'always', rerankMs: 1 }, false],
    ['busy', always, true],
  ] as const)('leaves the order as it was if it is %s', async (expected, limits, isBusy) => {
    const papers = papersOf(['a', 'bb', 'ccc', 'dddd', 'eeeee']);
    const deps = depsOf(limits, 20);
    const outcome = await planRerank({ limit: 5 }, deps)?.apply(papers, by, isBusy);
    expect(outcome).toEqual({ papers, outcome: expected });
    expect(deps.read.length).toBeLessThan(5);
  });
});
