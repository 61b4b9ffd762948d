/** The threads that search. */
import type { OpenSearchOptions } from '../search/open-search.ts';
import type { SearchRequest } from '../types.ts';
import { createPool, type Pool } from './pool.ts';
import type { LocalAnswer } from './search-worker.ts';

/** `queueMax`: searches that wait for a thread at most. */
export function createSearchPool(
  data: OpenSearchOptions,
  { threads, queueMax }: { threads: number; queueMax: number },
): Pool<SearchRequest, LocalAnswer> {
  return createPool({ ...{ threads, queueMax }, data: { role: 'search', ...data } });
}
