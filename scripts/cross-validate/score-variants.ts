/** nDCG@10 of each query of a collection with several weights of the ranking. */
import { readSettings } from '../../src/config.ts';
import { createEmbedder, type QueryEmbedding } from '../../src/embed/embedder.ts';
import { loadModel } from '../../src/embed/model.ts';
import { readTermEmbeddings } from '../../src/embed/term-embeddings.ts';
import { readQrels, readQueries } from '../../src/eval/collection-files.ts';
import { ndcg } from '../../src/eval/measures.ts';
import { gatherCandidates } from '../../src/search/candidates.ts';
import { selectDistinctPapers } from '../../src/search/deduplicate.ts';
import { matchQuery } from '../../src/search/match-query.ts';
import { type RankWeights, rank } from '../../src/search/rank.ts';
import { createSearchDeps, type SearchDeps } from '../../src/search/search.ts';
import { assertModel } from '../../src/store/index/index-facts.ts';
import { openStoreForReading } from '../../src/store/open.ts';

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
  const db = openStoreForReading({ path: index, lockWaitMs: settings.lockWaitMs });
  try {
    assertModel(db, model);
    const embedder = await createEmbedder(model.queryEncoder);
    const { queryEncoder } = model;
    const deps = createSearchDeps(db, queryEncoder, settings, readTermEmbeddings(queryEncoder));
    const scores = variants.map((): number[] => []);
    for (const { id, text } of queries) {
      const grades = qrels.get(id) ?? new Map<string, number>();
      const embedding = await embedder.embedQuery(text);
      for (const [at, ids] of rankVariants(text, { embedding, deps, variants }).entries()) {
        const ranked = ids.map((found) => grades.get(found) ?? 0);
        scores[at]?.push(ndcg(ranked, [...grades.values()], DEPTH));
      }
    }
    return scores;
  } finally {
    db.close();
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
): string[][] {
  return deps.inSnapshot(() => {
    const matched = matchQuery(query, deps);
    const { all } = gatherCandidates({ matched, vector: embedding.vector, results: RESULTS }, deps);
    const interaction = deps.interactionWith?.(matched.query, embedding.words);
    return variants.map((weights) => {
      const ranked = rank(all, matched.query, { weights, interaction });
      const papers = selectDistinctPapers(ranked, deps.documents, DEPTH);
      return papers.ranked.map(({ document }) => deps.documents.read(document).id);
    });
  });
}
