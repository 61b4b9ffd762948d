/** The role of a search thread, which has its own connection and model. */
import { createFindPapers } from '../papers/find-papers.ts';
import { type PaperFormat, writePapers } from '../papers/write-papers.ts';
import { type OpenSearch, type OpenSearchOptions, openSearch } from '../search/open-search.ts';
import type { SearchOutcome, SearchTimes } from '../search/search.ts';
import { createIndexSummarizer, type IndexSummary } from '../store/index/facets/index-summary.ts';
import type { SearchRequest, SimilarRequest } from '../types.ts';
import { failureOf, type Outcome } from './outcome.ts';

/** A request for papers by their ids. */
export interface PapersRequest {
  /** As in `FindPapers`. */
  ids: string[];
  format: PaperFormat;
}

/** A request for figures about the index. */
export interface SummaryRequest {
  about: 'index';
}

type LookUpRequest = SimilarRequest | PapersRequest | SummaryRequest;

export type IndexRequest = SearchRequest | LookUpRequest;

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

/** Papers in their format. */
export interface PapersAnswer {
  text: string;
  /** The number of papers that were found. */
  n: number;
  /** The ids that no paper has. */
  unknown: string[];
  /** As in `LocalAnswer`. */
  indexVersion: string;
}

export type IndexAnswer = LocalAnswer | PapersAnswer | IndexSummary;

export type SearchHandler = (requests: IndexRequest[]) => Promise<Outcome<IndexAnswer>[]>;

export async function createSearchHandler(data: OpenSearchOptions): Promise<SearchHandler> {
  const opened = await openSearch(data);
  const lookUp = createLookUp(opened);
  return async (requests) => {
    // Before a batch nothing reads. The main thread logs why a copy cannot be used.
    opened.index.refresh();
    // Searches are embedded together. Everything else needs no model.
    const searches = requests.filter((request) => 'query' in request);
    const found = await opened.searchAll(searches);
    return requests.map((request) => {
      if (!('query' in request)) return outcomeOf(() => lookUp(request));
      const outcome = found[searches.indexOf(request)] as PromiseSettledResult<SearchOutcome>;
      if (outcome.status === 'rejected') return { failure: failureOf(outcome.reason) };
      return { value: toLocalAnswer(outcome.value) };
    });
  };
}

/** Returns a function that answers requests without a question. */
function createLookUp(opened: OpenSearch): (request: LookUpRequest) => IndexAnswer {
  const findPapersNow = opened.index.reading(createFindPapers);
  const summarizeNow = opened.index.reading(createIndexSummarizer);
  return (request) => {
    if ('about' in request) return summarizeNow()();
    if ('similarTo' in request) return toLocalAnswer(opened.similar(request));
    const indexVersion = opened.indexVersion();
    const papers = findPapersNow()(request.ids);
    const { found, unknown } = papers;
    return { text: writePapers(papers, request.format), n: found.length, unknown, indexVersion };
  };
}

function outcomeOf<Value>(work: () => Value): Outcome<Value> {
  try {
    return { value: work() };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

function toLocalAnswer({ answer, explanation, indexVersion }: SearchOutcome): LocalAnswer {
  const times = explanation.milliseconds;
  return { json: JSON.stringify(answer), c: answer.c, indexVersion, times };
}
