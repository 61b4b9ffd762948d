/** The pool of search threads. */
import type { OpenSearchOptions } from '../search/open-search.ts';
import type { SearchRequest } from '../types.ts';
import { inBatches } from './batching.ts';
import type { Outcome } from './outcome.ts';
import { createPool, type Pool } from './pool.ts';
import type { LocalAnswer } from './search-worker.ts';

export interface SearchPoolOptions {
  threads: number;
  /** Searches that may wait for a thread. */
  queueMax: number;
  /** Searches per batch. */
  batchMax: number;
}

export function createSearchPool(
  data: OpenSearchOptions,
  options: SearchPoolOptions,
): Pool<SearchRequest, LocalAnswer> {
  const { threads } = options;
  const pool: Pool<SearchRequest[], Outcome<LocalAnswer>[]> = createPool({
    threads,
    queueMax: threads,
    data: { role: 'search', ...data },
  });
  return inBatches(pool, options);
}
