/**
 * POST /v1/search. The credit is held durably before the response leaves and settled only after it
 * left. Nobody pays for a response that was not sent, whatever fails in between.
 */
import { VerbatimError } from '../errors.ts';
import { formatTrace, type LaneTrace } from '../fallback/lane-trace.ts';
import { allowedLanes, type LaneName } from '../lane-choice.ts';
import { estimateTokens } from '../search/token-estimate.ts';
import type { SearchRequest } from '../types.ts';
import type { LocalAnswer } from '../workers/search-worker.ts';
import { assertNotCompressed } from './content-encoding.ts';
import type { HttpRequest } from './messages.ts';
import {
  acquireForKey,
  afterSending,
  atCapacity,
  CALL_CREDITS,
  type PaidCall,
  precheck,
  releaseAndRespond,
  respondToFailedHold,
  settleWhenSent,
  unpaid,
  withTimeout,
} from './paid-call.ts';
import { reportSearch } from './report-search.ts';
import { INDEX_VERSION_HEADER, jsonTextResponse, type TextResponse } from './responses.ts';
import { type StageTimes, timeHold, timeLocalSearch } from './search-stages.ts';
import type { ServiceDeps } from './service-deps.ts';
import { checkMediaType, parseSearchBody } from './validate.ts';

/** Reports what the lanes did, for searches that could have used them and for clients that ask. */
const LANES_HEADER = 'X-Lanes';

export interface SearchCall extends PaidCall {
  /** Whether the client asked for the lanes' report even if they had no part. */
  showsLanes: boolean;
  /** Receives what the lanes did, if they could have been asked. */
  onLanes?: (trace: LaneTrace) => void;
}

/** The result of a search. */
interface SearchOutput {
  body: string;
  /** The state of the index that the local answer is from. */
  indexVersion: string;
  /** What the lanes did, as in `X-Lanes`. */
  lanes: string;
  /** Whether the lanes could have been asked: the index had nothing close. */
  mayHaveLanes: boolean;
}

type Search = () => Promise<LocalAnswer>;

/** A search that has a permit. */
interface AdmittedSearch {
  request: SearchRequest;
  /** The lanes that may receive the question. */
  allowed: readonly LaneName[];
  search: Search;
  /** Filled in while the search runs. */
  stages: StageTimes;
}

/** A running search. */
interface StartedSearch extends Omit<AdmittedSearch, 'search'> {
  local: Promise<LocalAnswer>;
  /** The balance after the hold; undefined if the balance was too small. */
  held: Promise<number | undefined>;
}

/** Throws the expected errors of every step before the hold. */
export function searchEndpoint(
  deps: ServiceDeps,
  call: Omit<SearchCall, 'showsLanes'> & { request: HttpRequest },
): Promise<TextResponse> {
  const showsLanes = call.request.header(LANES_HEADER.toLowerCase()) === '1';
  return paidSearch(deps, { ...call, showsLanes }, async () => {
    checkMediaType(call.request.header('content-type'));
    assertNotCompressed(call.request.header('content-encoding'));
    return parseSearchBody(await call.request.readBody(deps.settings));
  });
}

/**
 * Runs a search that costs one credit, within the key's limit of searches in flight. Calls
 * `readRequest` once it has a permit. The caller must call `onSent` of the response. Throws the
 * expected errors of every step before the hold.
 */
export async function paidSearch(
  deps: ServiceDeps,
  call: SearchCall,
  readRequest: () => Promise<SearchRequest>,
): Promise<TextResponse> {
  const releaseKey = acquireForKey(deps, call.key);
  let response: TextResponse | undefined;
  try {
    response = await admit(deps, call, await readRequest());
    return afterSending(response, releaseKey);
  } finally {
    if (response === undefined) releaseKey();
  }
}

/**
 * Checks credit and capacity, in this order. Neither rejection touches the balance. What costs a
 * query comes after the permit, because most requests under overload get none.
 */
async function admit(
  deps: ServiceDeps,
  call: SearchCall,
  request: SearchRequest,
): Promise<TextResponse> {
  const balance = deps.recentBalanceOf(call.key.customerId);
  const rejection = precheck(deps, call.key, balance);
  if (rejection !== undefined) return unpaid(rejection, balance);
  if (deps.ledger.fault() !== undefined) throw new VerbatimError('degraded');
  const release = deps.state() === 'ok' ? deps.searchLimiter.acquire() : undefined;
  if (release === undefined) return atCapacity(deps);
  if (deps.settings.logQuestions) call.logged['question'] = request.query;
  const started = performance.now();
  const stages: StageTimes = {};
  let searching: Promise<LocalAnswer> | undefined;
  const search: Search = () => {
    searching = timeLocalSearch(stages, deps.search(request));
    return searching;
  };
  // A search that timed out still occupies its thread, so the permit is released with the thread.
  const releaseWithThread = (): void => {
    if (searching === undefined) release();
    else searching.then(release, release);
  };
  let response: TextResponse | undefined;
  try {
    const allowed = allowedLanes([call.key.customerLanes, call.key.lanes, request.lanes ?? null]);
    assertSearchable(deps, allowed);
    const found = await holdAndSearch(deps, call, { request, allowed, search, stages });
    const { requestId, key } = call;
    const milliseconds = performance.now() - started;
    const { query } = request;
    const { status } = found;
    reportSearch(deps, { requestId, key, query, status, milliseconds, stages });
    // A drain also waits until the response is sent and its ledger operation is written.
    response = afterSending(found, releaseWithThread);
    return response;
  } finally {
    if (response === undefined) releaseWithThread();
  }
}

async function holdAndSearch(
  deps: ServiceDeps,
  call: SearchCall,
  { request, allowed, search, stages }: AdmittedSearch,
): Promise<TextResponse> {
  const { key, requestId } = call;
  // Start the search first, since it takes longer. The hold must only be durable before the
  // question goes to a lane and before the response leaves.
  const local = search();
  const held = timeHold(
    stages,
    deps.ledger.hold({
      requestId,
      customerId: key.customerId,
      keyId: key.id,
      credits: CALL_CREDITS,
      now: deps.now(),
    }),
  );
  const finding = find(deps, call, { request, allowed, local, held, stages });
  // If the hold fails, nobody awaits the search.
  finding.catch(() => {});
  let balance: number | undefined;
  try {
    balance = await held;
  } catch (error) {
    return respondToFailedHold(deps, call, error);
  }
  if (balance === undefined) {
    return unpaid(new VerbatimError('insufficient_credit'), deps.balanceOf(key.customerId));
  }
  let found: SearchOutput;
  try {
    found = await finding;
  } catch (error) {
    return await releaseAndRespond(deps, call, error);
  }
  const response = jsonTextResponse(200, found.body);
  response.headers['X-Token-Budget'] = String(estimateTokens(response.body.length));
  response.headers['X-Credit-Balance'] = String(balance);
  response.headers[INDEX_VERSION_HEADER] = found.indexVersion;
  if (call.showsLanes || found.mayHaveLanes) response.headers[LANES_HEADER] = found.lanes;
  return settleWhenSent(deps, requestId, response);
}

/**
 * Returns the local answer, merged with the lanes' documents if the index has nothing close. Throws
 * `search_timeout` only if no answer at all is ready in time.
 */
async function find(
  deps: ServiceDeps,
  { logged, requestId, onLanes }: SearchCall,
  { request, allowed, local, held, stages }: StartedSearch,
): Promise<SearchOutput> {
  const { requestTimeoutMs } = deps.settings;
  const deadline = performance.now() + requestTimeoutMs;
  const { json, c, indexVersion } = await withTimeout(local, requestTimeoutMs);
  const alone = { body: json, indexVersion, lanes: 'off', mayHaveLanes: false };
  // No unpaid question leaves the server. If the hold rejects, so does this.
  if (deps.lanes === undefined || (await held) === undefined) return alone;
  const { merged, trace } = await deps.lanes.fallback(request, c, {
    deadline,
    allowed,
    requestId,
  });
  if (trace.outcome !== 'close') stages.lanes = trace.milliseconds;
  onLanes?.(trace);
  const lanes = formatTrace(trace);
  logged['lanes'] = lanes;
  const body = merged === undefined ? json : JSON.stringify(merged);
  return { body, indexVersion, lanes, mayHaveLanes: trace.outcome !== 'close' };
}

/** Throws `no_documents` if a search could find nothing, before anything is held. */
function assertSearchable(deps: ServiceDeps, allowed: readonly LaneName[]): void {
  const mayAskLane = deps.lanes?.names.some((lane) => allowed.includes(lane)) ?? false;
  if (!mayAskLane && deps.countDocuments() === 0) throw new VerbatimError('no_documents');
}
