/**
 * A search with a given vector: retrieval and citation. Adapt this file when src/search changes.
 */
import { readSettings } from '../../src/config.ts';
import { createSearchDeps, retrieve } from '../../src/search/search.ts';
import type { Connection } from '../../src/store/database/connection.ts';
import { readModel } from '../../src/store/index/index-facts.ts';
import type { Answer, Embedding } from '../../src/types.ts';

/** The default limit of the service. */
const LIMIT = 10;

export type PrecomputedSearch = (query: string, vector: Embedding) => Answer;

/** Returns a search that does not embed. */
export function createPrecomputedSearch(db: Connection): PrecomputedSearch {
  const model = readModel(db);
  if (model === undefined) throw new Error('the index is empty');
  const deps = createSearchDeps(db, model, readSettings());
  return (query, vector) =>
    retrieve({ query, limit: LIMIT, withAbstract: false }, vector, deps).answer;
}
