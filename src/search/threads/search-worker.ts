/** The role of a search thread, which has its own connection and model. */

import type { IndexSummary } from '../../index/facets/index-summary.ts';
import type { SearchRequest, SimilarRequest } from '../../types.ts';
import { failureOf, type Outcome } from '../../workers/outcome.ts';
import { reportFromThread } from '../../workers/report-from-thread.ts';
import type { ExplainedResult } from '../explain-quote.ts';
import { type OpenSearch, type OpenSearchOptions, openSearch } from '../open-search.ts';
import { type FindOptions, findPapers } from '../papers/find-papers.ts';
import { type ChangesRequest, type ListedChanges, listChanges } from '../papers/list-changes.ts';
import { type PaperFormat, writePapers } from '../papers/write-papers.ts';
import type { UnreadLanguage } from '../question-language.ts';
import type { RerankOutcome } from '../rerank.ts';
import type { SearchOutcome, SearchTimes } from '../search.ts';

/** A request for papers by their ids. */
export interface PapersRequest {
  /** As in `findPapers`. */
  ids: string[];
  format: PaperFormat;
  lists?: FindOptions['lists'];
}

/** A request for figures about the index. */
export interface SummaryRequest {
  about: 'index';
}

/** A request for the results of a question, and why their sentences were chosen. */
export interface ExplainRequest {
  /** The question. */
  explain: string;
}

type LookUpRequest =
  | SimilarRequest
  | PapersRequest
  | ChangesRequest
  | SummaryRequest
  | ExplainRequest;

export type IndexRequest = SearchRequest | LookUpRequest;

const RESULTS_EXPLAINED_MAX = 5;

/** An answer from the local index. */
export interface LocalAnswer {
  /** The answer as JSON: between threads, one string is copied faster than an object. */
  json: string;
  /** The answer's confidence. The main thread uses it to decide whether to ask the lanes. */
  c: number;
  /** The state of the index that was searched: see index-version.ts. */
  indexVersion: string;
  /** As in `SearchOutcome`. */
  reranked?: RerankOutcome | undefined;
  /** As in `SearchOutcome`. */
  unread?: UnreadLanguage | undefined;
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

export type IndexAnswer =
  | LocalAnswer
  | PapersAnswer
  | ListedChanges
  | IndexSummary
  | ExplainedResult[];

export type SearchHandler = (requests: IndexRequest[]) => Promise<Outcome<IndexAnswer>[]>;

export async function createSearchHandler(data: OpenSearchOptions): Promise<SearchHandler> {
  let opened = await openSearch(data, reportFromThread);
  return async (requests) => {
    // Between two batches. The main thread logs why a copy cannot be used.
    await opened.source.refresh();
    const outcomes = await answerAll(requests, opened);
    if (!outcomes.some(isOfOtherModel)) return outcomes;
    // The index was moved to another model. An answer is of one model, and is asked for again.
    const before = opened;
    opened = await openSearch(data, reportFromThread);
    await before.close();
    return answerAll(requests, opened);
  };
}

async function answerAll(
  requests: readonly IndexRequest[],
  opened: OpenSearch,
): Promise<Outcome<IndexAnswer>[]> {
  // Searches are embedded together. Everything else needs no model, or is rare.
  const searches = requests.filter((request) => 'query' in request);
  const found = await opened.searchAll(searches);
  const outcomes = requests.map(async (request): Promise<Outcome<IndexAnswer>> => {
    if (!('query' in request)) return outcomeOf(lookUp(request, opened));
    const outcome = found[searches.indexOf(request)] as PromiseSettledResult<SearchOutcome>;
    if (outcome.status === 'rejected') return { failure: failureOf(outcome.reason) };
    return { value: toLocalAnswer(outcome.value) };
  });
  return Promise.all(outcomes);
}

function isOfOtherModel(outcome: Outcome<IndexAnswer>): boolean {
  return 'failure' in outcome && outcome.failure.code === 'model_mismatch';
}

/** Answers a request that is no search of a customer. */
async function lookUp(request: LookUpRequest, opened: OpenSearch): Promise<IndexAnswer> {
  const { source, indexVersionOf } = opened;
  if ('about' in request) return source.view((view) => view.summary());
  if ('explain' in request) return explain(request, opened);
  if ('changesSince' in request) return source.view((view) => listChanges(request, view));
  if ('similarTo' in request) return toLocalAnswer(await opened.similar(request));
  return source.view(async (view) => {
    const papers = await findPapers(request.ids, view, request);
    const { found, unknown } = papers;
    const text = writePapers(papers, request.format);
    return { text, n: found.length, unknown, indexVersion: indexVersionOf(await view.state()) };
  });
}

async function explain(
  { explain: query }: ExplainRequest,
  opened: OpenSearch,
): Promise<ExplainedResult[]> {
  const { answer, explanation } = await opened.search({
    query,
    limit: RESULTS_EXPLAINED_MAX,
    withAbstract: false,
    sentences: 2,
    include: ['answers'],
  });
  return answer.results.map((citation, place) => ({
    citation,
    quote: explanation.results[place]?.quote,
  }));
}

async function outcomeOf<Value>(answer: Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { value: await answer };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

function toLocalAnswer({
  answer,
  explanation,
  indexVersion,
  reranked,
  unread,
}: SearchOutcome): LocalAnswer {
  const times = explanation.milliseconds;
  return { json: JSON.stringify(answer), c: answer.c, indexVersion, reranked, unread, times };
}
