/** The role of a search thread, which has its own connection and model. */
import { type OpenSearchOptions, openSearch } from '../search/open-search.ts';
import type { SearchTimes } from '../search/search.ts';
import type { SearchRequest } from '../types.ts';
import { failureOf, type Outcome } from './outcome.ts';

/** An answer from the local index. */
export interface LocalAnswer {
  /** The answer as JSON: between threads, one string is copied faster than an object. */
  json: string;
  /** The answer's confidence. The main thread uses it to decide whether to ask the lanes. */
  c: number;
  /** The state of the index that was searched: see index-version.ts. */
  indexVersion: string;
  /** What the search took in its thread. */
  times: SearchTimes;
}

export type SearchHandler = (requests: SearchRequest[]) => Promise<Outcome<LocalAnswer>[]>;

export async function createSearchHandler(data: OpenSearchOptions): Promise<SearchHandler> {
  const { searchAll } = await openSearch(data);
  return async (requests) => {
    const outcomes = await searchAll(requests);
    return outcomes.map((outcome) => {
      if (outcome.status === 'rejected') return { failure: failureOf(outcome.reason) };
      const { answer, explanation, indexVersion } = outcome.value;
      const times = explanation.milliseconds;
      return { value: { json: JSON.stringify(answer), c: answer.c, indexVersion, times } };
    });
  };
}
