/** Puts the first papers of a search into the order of a reranker. */
import type { Reranker } from '../text/embed/hub/reranker.ts';
import type { SearchRequest } from '../types.ts';
import { rankSentences } from './choose-sentence.ts';
import type { Choosing } from './cite.ts';
import type { DistinctPaper } from './deduplicate.ts';
import type { SearchLimits } from './search-limits.ts';
import { weightsFor } from './sentence-weights.ts';

/** The papers that a reranker reads. */
const RERANKED_MAX = 20;

/** Scored at once: the time is looked at between two of them. */
const PAPERS_PER_STEP = 4;

/** How many papers were put into order, or why none was: other searches wait, or the time is over. */
export type RerankOutcome = number | 'busy' | 'late';

export interface RerankDeps {
  reranker?: Reranker | undefined;
  limits: Pick<SearchLimits, 'rerank' | 'rerankMs'>;
}

export interface RerankPlan {
  /** How many papers it wants. */
  papersMax: number;
  /** If other searches wait (`isBusy`), the order stays as it was. */
  apply(
    papers: readonly DistinctPaper[],
    by: Choosing,
    isBusy: boolean,
  ): Promise<{ papers: readonly DistinctPaper[]; outcome: RerankOutcome }>;
}

/** Whether a search is to be reranked, if there is a reranker. */
export function wantsRerank(
  { rerank }: Pick<SearchRequest, 'rerank'>,
  limits: Pick<SearchLimits, 'rerank'>,
): boolean {
  return rerank ?? limits.rerank === 'always';
}

/** Returns how to rerank; undefined if the server has no reranker, or if it or the request wants none. */
export function planRerank(
  request: Pick<SearchRequest, 'rerank' | 'limit'>,
  { reranker, limits }: RerankDeps,
): RerankPlan | undefined {
  if (reranker === undefined || !wantsRerank(request, limits)) return undefined;
  return {
    papersMax: Math.max(request.limit, RERANKED_MAX),
    async apply(papers, by, isBusy) {
      if (isBusy) return { papers, outcome: 'busy' };
      const first = papers.slice(0, RERANKED_MAX);
      const scores = await scoreInTime(reranker, first, by, limits.rerankMs ?? 0);
      if (scores === undefined) return { papers, outcome: 'late' };
      const reordered = reorder(first, scores);
      return { papers: [...reordered, ...papers.slice(first.length)], outcome: first.length };
    },
  };
}

/** Returns undefined if the time is over before all papers were read: half of an order would be none. */
async function scoreInTime(
  reranker: Reranker,
  papers: readonly DistinctPaper[],
  by: Choosing,
  rerankMs: number,
): Promise<number[] | undefined> {
  const deadline = performance.now() + rerankMs;
  const texts = papers.map((paper) => textOf(paper, by));
  const scores: number[] = [];
  while (scores.length < texts.length) {
    if (performance.now() > deadline) return undefined;
    const step = texts.slice(scores.length, scores.length + PAPERS_PER_STEP);
    scores.push(...(await reranker.score(by.query, step)));
  }
  return scores;
}

/** Each place keeps its score, whose scale is that of all searches. */
function reorder(papers: readonly DistinctPaper[], scores: readonly number[]): DistinctPaper[] {
  return papers
    .map((paper, at) => ({ paper, score: scores[at] as number }))
    .sort((a, b) => b.score - a.score)
    .map(({ paper }, at) => ({ ...paper, score: (papers[at] as DistinctPaper).score }));
}

/** The title with the sentence that would be quoted. */
function textOf({ cited, candidate }: DistinctPaper, { query, weights }: Choosing): string {
  const { title, abstract, spans } = cited;
  const [best] = rankSentences({ candidate, abstract, spans }, weightsFor(weights, query));
  const span = best && spans[best.index];
  return span === undefined ? title : `${title}. ${abstract.slice(span.start, span.end)}`;
}
