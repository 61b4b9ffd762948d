/**
 * A search with a given embedding: retrieval and citation. Adapt this file when src/search changes.
 */

import { assertModel } from '../../src/index/index-facts.ts';
import { createSearchDeps, retrieve } from '../../src/search/search.ts';
import { readSettings } from '../../src/settings/config.ts';
import type { QueryEmbedding } from '../../src/text/embed/embedder.ts';
import { loadModel } from '../../src/text/embed/model.ts';
import { readTermEmbeddings } from '../../src/text/embed/term-embeddings.ts';
import type { Answer } from '../../src/types.ts';
import type { IndexAccess } from './index-access.ts';

/** The default limit of the service. */
const LIMIT = 10;

export type PrecomputedSearch = (query: string, embedding: QueryEmbedding) => Promise<Answer>;

/** Returns a search that does not embed. */
export function createPrecomputedSearch({
  db,
  source,
}: Pick<IndexAccess, 'db' | 'source'>): PrecomputedSearch {
  const settings = readSettings();
  const model = loadModel(settings.model);
  assertModel(db, model);
  const { queryEncoder } = model;
  const deps = createSearchDeps(source, queryEncoder, settings, readTermEmbeddings(queryEncoder));
  return async (query, embedding) =>
    (await retrieve({ query, limit: LIMIT, withAbstract: false }, embedding, deps)).answer;
}
