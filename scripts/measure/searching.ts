/** Searches in this process, with questions that are embedded before. Adapt this file when src/search changes. */
import type { IndexSource } from '../../src/index/ports/index-source.ts';
import { createSearchDeps, retrieve, type SearchDeps } from '../../src/search/search.ts';
import { readSettings } from '../../src/settings/config.ts';
import { createEmbedder, type QueryEmbedding } from '../../src/text/embed/embedder.ts';
import { loadModel, type Model } from '../../src/text/embed/model.ts';
import { readTermEmbeddings } from '../../src/text/embed/term-embeddings.ts';

export interface Question {
  id: string;
  query: string;
  embedding: QueryEmbedding;
}

/** The model of VERBATIM_MODEL, or the bundled one. */
export function currentModel(): Model {
  return loadModel(readSettings().model);
}

/** Embeds questions one after another. */
export async function embedQuestions(
  texts: readonly { id: string; text: string }[],
): Promise<Question[]> {
  const embedder = await createEmbedder(currentModel().queryEncoder);
  const questions: Question[] = [];
  for (const { id, text } of texts) {
    questions.push({ id, query: text, embedding: await embedder.embedQuery(text) });
  }
  return questions;
}

/** What a search in a source takes. */
export function depsOf(source: IndexSource): SearchDeps {
  const { queryEncoder } = currentModel();
  return createSearchDeps(source, queryEncoder, readSettings(), {
    termEmbeddings: readTermEmbeddings(queryEncoder),
  });
}

/** Searches as a customer does who says nothing but how many results to return. */
export function searchEmbedded(
  deps: SearchDeps,
  { query, embedding }: Pick<Question, 'query' | 'embedding'>,
) {
  return retrieve({ query, limit: 10, withAbstract: false }, embedding, deps);
}
