/** nDCG@10 of each query of a collection with several weights of the ranking. */

import { openSource } from '../../src/index/open/open-source.ts';
import { gatherCandidates } from '../../src/search/candidates.ts';
import { citableIn } from '../../src/search/citable-document.ts';
import { selectDistinctPapers } from '../../src/search/deduplicate.ts';
import { readQrels, readQueries } from '../../src/search/eval/collection-files.ts';
import { ndcg } from '../../src/search/eval/measures.ts';
import { matchQuery } from '../../src/search/match-query.ts';
import { feedbackTermsOf } from '../../src/search/pseudo-relevance-feedback.ts';
import { type RankWeights, rank, rankFirstStage } from '../../src/search/rank.ts';
import { createSearchDeps, exclude, type SearchDeps } from '../../src/search/search.ts';
import { readSettings } from '../../src/settings/config.ts';
import { createEmbedder, type QueryEmbedding } from '../../src/text/embed/embedder.ts';
import { loadModel } from '../../src/text/embed/model.ts';
import { readTermEmbeddings } from '../../src/text/embed/term-embeddings.ts';

export interface CollectionFiles {
  index: string;
  queries: string;
  qrels: string;
}

const DEPTH = 10;
/** The results per query of `verbatim eval`, which decide how many candidates are ranked. */
const RESULTS = 100;

/** Returns [variant][query]. Queries without a relevant document are left out. */
export async function scoreVariants(
  { index, queries: queriesPath, qrels: qrelsPath }: CollectionFiles,
  variants: readonly RankWeights[],
): Promise<number[][]> {
  const settings = readSettings();
  const qrels = await readQrels(qrelsPath);
  const isJudged = ({ id }: { id: string }): boolean =>
    [...(qrels.get(id)?.values() ?? [])].some((grade) => grade > 0);
  const queries = (await readQueries(queriesPath)).filter(isJudged);
  const model = loadModel(settings.model);
  const store = { path: index, lockWaitMs: settings.lockWaitMs };
  const source = await openSource({ store, limits: settings }, model);
  try {
    const embedder = await createEmbedder(model.queryEncoder);
    const { queryEncoder } = model;
    const deps = createSearchDeps(source, queryEncoder, settings, readTermEmbeddings(queryEncoder));
    const scores = variants.map((): number[] => []);
    for (const { id, text } of queries) {
      const grades = qrels.get(id) ?? new Map<string, number>();
      const embedding = await embedder.embedQuery(text);
      const rankings = await rankVariants(text, { embedding, deps, variants });
      for (const [at, ids] of rankings.entries()) {
        const ranked = ids.map((found) => grades.get(found) ?? 0);
        scores[at]?.push(ndcg(ranked, [...grades.values()], DEPTH));
      }
    }
    return scores;
  } finally {
    await source.close();
  }
}

/** The ids of the best papers with each of the weights. */
function rankVariants(
  query: string,
  {
    embedding,
    deps,
    variants,
  }: { embedding: QueryEmbedding; deps: SearchDeps; variants: readonly RankWeights[] },
): Promise<string[][]> {
  const { source, limits } = deps;
  return source.view(async (view) => {
    const matched = await matchQuery(query, view, limits);
    const { withheld } = await exclude(new Set(), view, limits);
    const { vector, answer } = embedding;
    const wanted = { matched, vector, answer, results: RESULTS, withheld };
    const { all } = await gatherCandidates(wanted, view, limits);
    const interaction = deps.interactionWith?.(matched.query, embedding.words);
    const rankings = variants.map(async (weights) => {
      const firstStage = rankFirstStage(all, weights);
      const statistics = await view.statistics(feedbackTermsOf(firstStage));
      const ranked = rank(firstStage, statistics, { weights, interaction });
      const papers = await selectDistinctPapers(ranked, citableIn(view), { limit: DEPTH });
      return papers.map(({ cited }) => cited.id);
    });
    return Promise.all(rankings);
  });
}
