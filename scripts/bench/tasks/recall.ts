/** The recall of dense retrieval: the share of the exact nearest documents among its candidates. */

import { createDenseRetriever } from '../../../src/index/dense/dense-retrieval.ts';
import { assertModel } from '../../../src/index/index-facts.ts';
import { readSettings } from '../../../src/settings/config.ts';
import { createEmbedder } from '../../../src/text/embed/embedder.ts';
import { loadModel } from '../../../src/text/embed/model.ts';
import type { Embedding } from '../../../src/types.ts';
import { findExactNearest } from '../exact-nearest.ts';
import { withIndex } from '../index-access.ts';

/** Of so many exact nearest documents. */
const FEW = 10;
const MANY = 50;

/** Mean shares of the exact nearest documents that are among the dense candidates. */
export interface Recall {
  ofTen: number;
  ofFifty: number;
}

export async function recall({
  database,
  queries,
}: {
  database: string;
  queries: string[];
}): Promise<Recall> {
  const settings = readSettings();
  const model = loadModel(settings.model);
  const embedder = await createEmbedder(model.queryEncoder);
  const vectors: Embedding[] = [];
  for (const query of queries) vectors.push((await embedder.embedQuery(query)).vector);
  return withIndex(database, (index) => {
    assertModel(index.db, model);
    const dense = createDenseRetriever(index.db, model.dimensions, settings);
    const exact = findExactNearest(index, vectors, MANY);
    const sums = { ofTen: 0, ofFifty: 0 };
    for (const [at, vector] of vectors.entries()) {
      const { nearest } = dense.retrieve(vector, settings.denseCandidatesMax);
      const candidates = new Set(nearest.map(({ document }) => document));
      const share = (count: number): number => {
        const wanted = (exact[at] ?? []).slice(0, count);
        return wanted.filter((document) => candidates.has(document)).length / wanted.length;
      };
      sums.ofTen += share(FEW);
      sums.ofFifty += share(MANY);
    }
    return { ofTen: sums.ofTen / vectors.length, ofFifty: sums.ofFifty / vectors.length };
  });
}
