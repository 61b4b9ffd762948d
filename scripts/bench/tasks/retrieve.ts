/** Times retrieval and citation without embedding: queries are embedded before the clock starts. */
import { readSettings } from '../../../src/settings/config.ts';
import { createEmbedder, type QueryEmbedding } from '../../../src/text/embed/embedder.ts';
import { loadModel } from '../../../src/text/embed/model.ts';
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
  const embeddings: QueryEmbedding[] = [];
  for (const query of queries) embeddings.push(await embedder.embedQuery(query));
  return withIndex(database, async (index) => {
    const search = createPrecomputedSearch(index);
    for (const query of warmUp) await search(query, await embedder.embedQuery(query));
    const milliseconds: number[] = [];
    const answered: Answered[] = [];
    for (const [index, query] of queries.entries()) {
      const started = performance.now();
      const answer = await search(query, embeddings[index] as QueryEmbedding);
      milliseconds.push(performance.now() - started);
      answered.push({ query, answer });
    }
    const memoryBytes = process.resourceUsage().maxRSS * 1024;
    return { milliseconds, memoryBytes, hash: hashAnswers(answered) };
  });
}
