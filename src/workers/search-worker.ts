/** What a thread does that embeds queries and searches, with a connection and a model of its own. */
import { type OpenSearchOptions, openSearch } from '../search/open-search.ts';
import type { SearchRequest } from '../types.ts';

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
