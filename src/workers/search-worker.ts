/** What a thread does that embeds queries and searches, with a connection and a model of its own. */
import { type OpenSearchOptions, openSearch } from '../search/open-search.ts';
import type { SearchRequest } from '../types.ts';
import { failureOf, type Outcome } from './outcome.ts';

/** An answer from the local index. */
export interface LocalAnswer {
  /** The answer as JSON: from thread to thread, one string is copied faster than its parts. */
  json: string;
  /** Its confidence, by which the main thread decides whether to ask the lanes. */
  c: number;
}

export type SearchHandler = (requests: SearchRequest[]) => Promise<Outcome<LocalAnswer>[]>;

export async function createSearchHandler(data: OpenSearchOptions): Promise<SearchHandler> {
  const { searchAll } = await openSearch(data);
  return async (requests) => {
    const outcomes = await searchAll(requests);
    return outcomes.map((outcome) => {
      if (outcome.status === 'rejected') return { failure: failureOf(outcome.reason) };
      const { answer } = outcome.value;
      return { value: { json: JSON.stringify(answer), c: answer.c } };
    });
  };
}
