/** Embeds queries and searches, each thread with its own connection and model. */
import { type OpenSearchOptions, openSearch } from '../search/open-search.ts';
import type { SearchRequest } from '../types.ts';
import { createPool, type Pool } from './pool.ts';

/** An answer from the local index. */
export interface LocalAnswer {
  /** The answer as JSON: from thread to thread, one string is copied faster than its parts. */
  json: string;
  /** Its confidence, by which the main thread decides whether to ask the lanes. */
  c: number;
}

export type SearchHandler = (request: SearchRequest) => Promise<LocalAnswer>;

export async function createSearchHandler(data: OpenSearchOptions): Promise<SearchHandler> {
  const { search } = await openSearch(data);
  return async (request) => {
    const { answer } = await search(request);
    return { json: JSON.stringify(answer), c: answer.c };
  };
}

/** Threads that search. `queueMax`: searches that wait for a thread at most. */
export function createSearchPool(
  data: OpenSearchOptions,
  { threads, queueMax }: { threads: number; queueMax: number },
): Pool<SearchRequest, LocalAnswer> {
  return createPool({ ...{ threads, queueMax }, data: { role: 'search', ...data } });
}
