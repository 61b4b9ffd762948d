/** A search whose query is embedded already: retrieval and citation. Adapt to src/search here. */
import { readSettings } from '../../src/config.ts';
import { createSearchDeps, retrieve } from '../../src/search/search.ts';
import type { Connection } from '../../src/store/database/connection.ts';
import { readModel } from '../../src/store/index/index-facts.ts';
import type { Answer, Embedding } from '../../src/types.ts';

/** What the service takes where a request does not say. */
const LIMIT = 10;

export type PrecomputedSearch = (query: string, vector: Embedding) => Answer;

/** Returns a search that embeds nothing. */
export function createPrecomputedSearch(db: Connection): PrecomputedSearch {
  const parts = createSearchDeps(db, readModel(db)?.dimensions ?? 0, readSettings());
  return (query, vector) =>
    retrieve({ query, limit: LIMIT, withAbstract: false }, vector, parts).answer;
}
