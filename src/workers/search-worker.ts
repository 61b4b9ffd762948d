/** Embeds queries and searches, each thread with its own connection and model. */
import { type OpenSearchOptions, openSearch } from '../search/open-search.ts';
import type { SearchOutcome } from '../search/search.ts';
import type { SearchRequest } from '../types.ts';
import { createPool, type Pool } from './pool.ts';

export type SearchHandler = (request: SearchRequest) => Promise<SearchOutcome>;

export async function createSearchHandler(data: OpenSearchOptions): Promise<SearchHandler> {
  return (await openSearch(data)).search;
}

/** Threads that search. `queueMax`: searches that wait for a thread at most. */
export function createSearchPool(
  data: OpenSearchOptions,
  { threads, queueMax }: { threads: number; queueMax: number },
): Pool<SearchRequest, SearchOutcome> {
  return createPool({ ...{ threads, queueMax }, data: { role: 'search', ...data } });
}
