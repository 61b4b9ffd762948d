/** Times retrieval and citation without embedding: vectors are computed before the clock starts. */
import { readSettings } from '../../../src/config.ts';
import { createEmbedder } from '../../../src/embed/embedder.ts';
import { loadModel } from '../../../src/embed/model.ts';
import { assertModel } from '../../../src/store/index/index-facts.ts';
import type { Embedding } from '../../../src/types.ts';
import { type Answered, hashAnswers } from '../answers-hash.ts';
import { withIndex } from '../index-access.ts';
import { createPrecomputedSearch } from '../precomputed-search.ts';

export interface RetrieveInput {
  database: string;
  queries: string[];
  warmUp: string[];
}

export interface Retrieved {
  /** One per query. */
  milliseconds: number[];
  /** The most memory that the process had. */
  memoryBytes: number;
  hash: string;
}

export async function retrieve({ database, queries, warmUp }: RetrieveInput): Promise<Retrieved> {
  const model = loadModel(readSettings().model);
  const embedder = await createEmbedder(model.queryEncoder);
  const vectors: Embedding[] = [];
  for (const query of queries) vectors.push(await embedder.embedQuery(query));
  return withIndex(database, async ({ db }) => {
    assertModel(db, model);
    const search = createPrecomputedSearch(db);
    for (const query of warmUp) search(query, await embedder.embedQuery(query));
    const milliseconds: number[] = [];
    const answered: Answered[] = [];
    for (const [index, query] of queries.entries()) {
      const started = performance.now();
      const answer = search(query, vectors[index] as Embedding);
      milliseconds.push(performance.now() - started);
      answered.push({ query, answer });
    }
    const memoryBytes = process.resourceUsage().maxRSS * 1024;
    return { milliseconds, memoryBytes, hash: hashAnswers(answered) };
  });
}
