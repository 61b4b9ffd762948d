/** nDCG@10 of each query of a collection with several weights of the ranking. */
import { gatherCandidates } from '../../src/search/candidates.ts';
import { citableIn } from '../../src/search/citable-document.ts';
import { selectDistinctPapers } from '../../src/search/deduplicate.ts';
import { readQrels, readQueries } from '../../src/search/eval/collection-files.ts';
import { ndcg } from '../../src/search/eval/measures.ts';
import { matchQuery } from '../../src/search/match-query.ts';
import { feedbackTermsOf } from '../../src/search/pseudo-relevance-feedback.ts';
import { type RankWeights, rank, rankFirstStage } from '../../src/search/rank.ts';
import { exclude, type SearchDeps } from '../../src/search/search.ts';
import { depsOf, embedQuestions, openFile, type Question } from '../measure/searching.ts';

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
  const qrels = await readQrels(qrelsPath);
  const isJudged = ({ id }: { id: string }): boolean =>
    [...(qrels.get(id)?.values() ?? [])].some((grade) => grade > 0);
  const queries = (await readQueries(queriesPath)).filter(isJudged);
  const source = await openFile(index);
  const deps = depsOf(source);
  const scores = variants.map((): number[] => []);
  for (const question of await embedQuestions(queries)) {
    const grades = qrels.get(question.id) ?? new Map<string, number>();
    const rankings = await rankVariants(question, deps, variants);
    for (const [at, ids] of rankings.entries()) {
      const ranked = ids.map((found) => grades.get(found) ?? 0);
      scores[at]?.push(ndcg(ranked, [...grades.values()], DEPTH));
    }
  }
  await source.close();
  return scores;
}

/** The ids of the best papers with each of the weights. */
function rankVariants(
  { query, embedding }: Question,
  { source, limits, interactionWith }: SearchDeps,
  variants: readonly RankWeights[],
): Promise<string[][]> {
  return source.view(async (view) => {
    const matched = await matchQuery(query, view, limits);
    const { withheld } = await exclude(new Set(), view, limits);
    const { vector, answer } = embedding;
    const wanted = { matched, vector, answer, results: RESULTS, withheld };
    const { all } = await gatherCandidates(wanted, view, limits);
    const interaction = interactionWith?.(matched.query, embedding.words);
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
