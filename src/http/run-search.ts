/**
 * One search of a paid call, from the hold to the response. Whoever calls it settles the hold: only
 * after the response was sent or stored. Nobody pays for an answer that they cannot get, whatever
 * fails in between.
 */

import type { AnswerOutcome, QuestionToKeep } from '../accounts/sql/answer-outcomes.ts';
import { VerbatimError } from '../errors.ts';
import { formatTrace, type LaneTrace } from '../lanes/lane-trace.ts';
import { isClose } from '../search/is-close.ts';
import { canLanesMatch } from '../search/lane-filter.ts';
import { formatUnread, type UnreadLanguage } from '../search/question-language.ts';
import type { RerankOutcome } from '../search/rerank.ts';
import type { LocalAnswer } from '../search/threads/search-worker.ts';
import { estimateTokens } from '../search/token-estimate.ts';
import { allowedLanes, type LaneName } from '../settings/lane-choice.ts';
import type { Answer, SearchOptions, SearchRequest } from '../types.ts';
import type { Permit } from './admission.ts';
import {
  BALANCE_HEADER,
  type Hold,
  holdCredit,
  type PaidCall,
  releaseAndRespond,
  withTimeout,
} from './paid-call.ts';
import { reportSearch } from './report-search.ts';
import { INDEX_VERSION_HEADER, jsonTextResponse, type TextResponse } from './responses.ts';
import { type StageTimes, timeHold, timeLocalSearch } from './search-stages.ts';
import type { ServiceDeps } from './service-deps.ts';

/** Reports what the lanes did, for searches that could have used them and for clients that ask. */
export const LANES_HEADER = 'X-Lanes';

/** How many results the reranker put into order, or why it did not. */
export const RERANK_HEADER = 'X-Rerank';

/** The language of a question that the model does not read. */
export const QUESTION_LANGUAGE_HEADER = 'X-Question-Language';

export interface SearchCall extends PaidCall {
  /** Whether the client asked for the lanes' report even if they had no part. */
  showsLanes: boolean;
  /** Receives what the response says in headers only, each part once it is known. */
  onFound?: (found: SearchFacts) => void;
}

export interface SearchFacts {
  /** What the lanes did, if they could have been asked. */
  lanes?: LaneTrace;
  /** Absent if the model reads the language of the question. */
  unread?: UnreadLanguage;
}

/** The result of a search. */
interface SearchOutput {
  body: string;
  /** The state of the index that the local answer is from. */
  indexVersion: string;
  /** What the reranker did; undefined if it was not to. */
  reranked: RerankOutcome | undefined;
  /** Undefined if the model reads the language of the question. */
  unread: UnreadLanguage | undefined;
  /** What the lanes did, as in `X-Lanes`. */
  lanes: string;
  /** Whether the lanes could have been asked: the index had nothing close. */
  mayHaveLanes: boolean;
  /** The lanes whose documents were ranked with the local ones. */
  contributors: readonly LaneName[];
  outcome: AnswerOutcome;
}

/** A running search. */
interface StartedSearch {
  /** By `performance.now()`. */
  started: number;
  request: SearchRequest;
  /** The lanes that may receive the question. */
  allowed: readonly LaneName[];
  local: Promise<LocalAnswer>;
  holding: Promise<Hold>;
  /** Filled in while the search runs. */
  stages: StageTimes;
}

/**
 * Holds the price of a search and runs it. The credit of a response with the status 200 is still
 * held; any other response costs nothing. Throws the expected errors of every step before the hold.
 */
export async function runSearch(
  deps: ServiceDeps,
  call: SearchCall,
  request: SearchRequest,
  permit: Permit,
): Promise<TextResponse> {
  const { requestId, key, logged } = call;
  const { query } = request;
  if (deps.settings.logQuestions) logged['question'] = query;
  const started = performance.now();
  const { stages } = call.record;
  const allowed = allowedLanes([key.customerLanes, key.lanes, request.lanes ?? null]);
  await assertSearchable(deps, canLanesMatch(request.filter) ? allowed : []);
  // Start the search first, since it takes longer. The hold must only be durable before the
  // question goes to a lane and before the response leaves.
  const local = timeLocalSearch(stages, deps.search(request));
  permit.keepUntil(local);
  const holding = timeHold(stages, holdCredit(deps, call, 'search'));
  const search: StartedSearch = { started, request, allowed, local, holding, stages };
  const response = await holdAndSearch(deps, call, search);
  const milliseconds = performance.now() - started;
  reportSearch(deps, { requestId, key, query, status: response.status, milliseconds, stages });
  return response;
}

async function holdAndSearch(
  deps: ServiceDeps,
  call: SearchCall,
  search: StartedSearch,
): Promise<TextResponse> {
  const finding = find(deps, call, search);
  // If the hold fails, nobody awaits the search.
  finding.catch(() => {});
  const hold = await search.holding;
  if ('rejection' in hold) return hold.rejection;
  let found: SearchOutput;
  try {
    found = await finding;
  } catch (error) {
    return await releaseAndRespond(deps, call, error);
  }
  const response = jsonTextResponse(200, found.body);
  const milliseconds = performance.now() - search.started;
  const { contributors: lanes, outcome } = found;
  call.record.lanes = lanes;
  deps.observer.answered(outcome);
  response.measures = { milliseconds, lanes, outcome, question: toKeep(deps, search, outcome) };
  response.isFree = isAllDropped(search.request, found.body);
  response.headers['X-Token-Budget'] = String(estimateTokens(response.body.length));
  response.headers[BALANCE_HEADER] = String(hold.balance);
  response.headers[INDEX_VERSION_HEADER] = found.indexVersion;
  if (found.reranked !== undefined) response.headers[RERANK_HEADER] = String(found.reranked);
  if (typeof found.reranked === 'string') deps.observer.notReranked(found.reranked);
  if (found.unread !== undefined) {
    response.headers[QUESTION_LANGUAGE_HEADER] = formatUnread(found.unread);
  }
  if (call.showsLanes || found.mayHaveLanes) response.headers[LANES_HEADER] = found.lanes;
  return response;
}

/**
 * Returns the local answer, merged with the lanes' documents if the index has nothing close. Throws
 * `search_timeout` only if no answer at all is ready in time.
 */
async function find(
  deps: ServiceDeps,
  { logged, requestId, onFound }: SearchCall,
  { request, allowed, local, holding, stages }: StartedSearch,
): Promise<SearchOutput> {
  const { requestTimeoutMs } = deps.settings;
  const deadline = performance.now() + requestTimeoutMs;
  const { json, c, indexVersion, reranked, unread } = await withTimeout(local, requestTimeoutMs);
  if (unread !== undefined) onFound?.({ unread });
  const outcome = outcomeOf(deps, c);
  const alone = {
    body: json,
    indexVersion,
    reranked,
    unread,
    lanes: 'off',
    mayHaveLanes: false,
    contributors: [],
  };
  // No unpaid question leaves the server.
  if (deps.lanes === undefined || 'rejection' in (await holding)) return { ...alone, outcome };
  const { merged, trace } = await deps.lanes.fallback(request, c, {
    deadline,
    allowed,
    requestId,
  });
  if (trace.outcome !== 'close') stages.lanes = trace.milliseconds;
  onFound?.({ lanes: trace });
  const lanes = formatTrace(trace);
  logged['lanes'] = lanes;
  const body = merged === undefined ? json : JSON.stringify(merged);
  const contributors = contributorsOf(trace);
  return {
    body,
    indexVersion,
    // The threads of the lanes merge without the reranker.
    reranked: merged === undefined ? reranked : undefined,
    unread,
    lanes,
    contributors,
    outcome: outcomeOf(deps, c, trace),
    mayHaveLanes: trace.outcome !== 'close',
  };
}

/** Whether results were found, and none fits into `max_tokens`: nobody pays for that. */
export function isAllDropped({ tokensMax }: SearchOptions, body: string): boolean {
  // Only such a request can have results left out, and few of those answers are empty.
  if (tokensMax === undefined || !body.startsWith('{"n":0,')) return false;
  const { dropped = 0 } = JSON.parse(body) as Answer;
  return dropped > 0;
}

/** Returns the lanes whose documents were ranked with the local ones. */
function contributorsOf({ outcome, reports }: LaneTrace): LaneName[] {
  if (outcome !== 'served') return [];
  return reports.filter(({ documents }) => documents > 0).map(({ lane }) => lane);
}

/** What came of a search for the operator's counts. Lanes may be asked always, or never. */
function outcomeOf({ settings }: ServiceDeps, c: number, trace?: LaneTrace): AnswerOutcome {
  if (isClose(c, settings)) return 'close';
  return trace === undefined || trace.outcome === 'close' ? 'no_lanes' : trace.outcome;
}

/** Returns the question if the operator keeps those to which the index had nothing close. */
function toKeep(
  { settings: { keepQuestions, keptQuestionsMax: questionsMax } }: ServiceDeps,
  { request: { query: text } }: StartedSearch,
  outcome: AnswerOutcome,
): QuestionToKeep | undefined {
  return keepQuestions && outcome !== 'close' ? { text, questionsMax } : undefined;
}

/** Rejects with `no_documents` if a search could find nothing, before anything is held. */
async function assertSearchable(deps: ServiceDeps, allowed: readonly LaneName[]): Promise<void> {
  const mayAskLane = deps.lanes?.names.some((lane) => allowed.includes(lane)) ?? false;
  if (mayAskLane) return;
  if ((await deps.countDocuments()) === 0) throw new VerbatimError('no_documents');
}
