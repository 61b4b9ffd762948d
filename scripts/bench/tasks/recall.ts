/** The recall of dense retrieval: the share of the exact nearest documents among its candidates. */
import { readSettings } from '../../../src/config.ts';
import { createEmbedder } from '../../../src/embed/embedder.ts';
import { loadModel } from '../../../src/embed/model.ts';
import { assertModel } from '../../../src/store/index/index-facts.ts';
import { createDenseComparison } from '../dense-candidates.ts';
import { withIndex } from '../index-access.ts';

const NEAREST = 50;

/** Returns the mean share of the exact top 50 that are among the dense candidates. */
export async function recall({
  database,
  queries,
}: {
  database: string;
  queries: string[];
}): Promise<number> {
  const model = loadModel(readSettings().model);
  const embedder = await createEmbedder(model.queryEncoder);
  return withIndex(database, async (index) => {
    assertModel(index.db, model);
    const comparison = createDenseComparison(index, model.dimensions);
    let sum = 0;
    for (const query of queries) {
      const { vector } = await embedder.embedQuery(query);
      const candidates = new Set(comparison.denseCandidates(vector));
      const nearest = comparison.exactNearest(vector, NEAREST);
      sum += nearest.filter((document) => candidates.has(document)).length / nearest.length;
    }
    return sum / queries.length;
  });
}
