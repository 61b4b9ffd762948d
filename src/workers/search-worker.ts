/** Embeds queries and searches, each thread with its own connection and model. */
import { type OpenSearchOptions, openSearch } from '../search/open-search.ts';
import type { SearchRequest } from '../types.ts';
import { createPool, type Pool } from './pool.ts';

/** Gives the answer as JSON: from thread to thread, one string is copied faster than its parts. */
export type SearchHandler = (request: SearchRequest) => Promise<string>;

export async function createSearchHandler(data: OpenSearchOptions): Promise<SearchHandler> {
  const { search } = await openSearch(data);
  return async (request) => JSON.stringify((await search(request)).answer);
}

/** Threads that search. `queueMax`: searches that wait for a thread at most. */
export function createSearchPool(
  data: OpenSearchOptions,
  { threads, queueMax }: { threads: number; queueMax: number },
): Pool<SearchRequest, string> {
  return createPool({ ...{ threads, queueMax }, data: { role: 'search', ...data } });
}
