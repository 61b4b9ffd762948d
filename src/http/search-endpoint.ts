/**
 * POST /v1/search. The credit is held, durably, before the answer leaves, and settled only after
 * that: whatever dies in between, nobody pays for an answer that was not sent.
 */
import { VerbatimError } from '../errors.ts';
import type { LogFields } from '../log.ts';
import type { ApiKey } from '../store/keys.ts';
import type { SearchRequest } from '../types.ts';
import type { LocalAnswer } from '../workers/search-worker.ts';
import { customerError, errorAnswer, jsonTextAnswer } from './answers.ts';
import { formatTrace } from './lane-trace.ts';
import type { ServiceParts } from './parts.ts';
import type { HttpAnswer, HttpRequest } from './server.ts';
import { checkMediaType, parseSearchBody } from './validate.ts';

const SEARCH_CREDITS = 1;
/** Specification 4.1: about four characters a token. */
const CHARACTERS_PER_TOKEN = 4;
/** With the value 1 in a request, it is answered with what the lanes did. */
const LANES_HEADER = 'X-Lanes';
/** A place in flight is free again within a search's time, which is far below a second. */
const PLACE_RETRY_SECONDS = '1';

export interface SearchCall {
  request: HttpRequest;
  requestId: string;
  key: ApiKey;
  /** Adds to the call's line in the log. */
  logged: LogFields;
}

/** What a search has to offer its customer. */
interface Found {
  body: string;
  /** How the lanes took part, for customers who ask for it. */
  lanes: string;
}

type Search = () => Promise<LocalAnswer>;

/** Throws the expected errors of everything up to the debit. */
export async function searchEndpoint(parts: ServiceParts, call: SearchCall): Promise<HttpAnswer> {
  const { key, request } = call;
  const leaveKey = parts.places.enterKey(
    key.id,
    key.inFlightMax ?? parts.settings.inFlightPerKeyMax,
  );
  if (leaveKey === undefined) {
    return errorAnswer(new VerbatimError('rate_limited'), { 'Retry-After': PLACE_RETRY_SECONDS });
  }
  let answer: HttpAnswer | undefined;
  try {
    checkMediaType(request.header('content-type'));
    const search = parseSearchBody(await request.readBody(parts.settings));
    answer = await admit(parts, call, search);
    return withAfterwards(answer, leaveKey);
  } finally {
    if (answer === undefined) leaveKey();
  }
}

/** Credit and capacity, in this order; neither refusal touches the balance. */
async function admit(
  parts: ServiceParts,
  call: SearchCall,
  request: SearchRequest,
): Promise<HttpAnswer> {
  const balance = parts.balanceOf(call.key.customerId);
  if (balance < SEARCH_CREDITS) return insufficient(balance);
  const leave = parts.state() === 'ok' ? parts.places.enter() : undefined;
  if (leave === undefined) {
    return {
      ...errorAnswer(new VerbatimError('at_capacity'), { 'Retry-After': PLACE_RETRY_SECONDS }),
      close: parts.state() === 'stopping',
    };
  }
  let searching: Promise<LocalAnswer> | undefined;
  const search: Search = () => {
    searching = parts.search(request);
    return searching;
  };
  // A search that timed out still has its thread: its place is free when the thread is.
  const leaveWithThread = (): void => {
    if (searching === undefined) leave();
    else searching.then(leave, leave);
  };
  let answer: HttpAnswer | undefined;
  try {
    answer = await holdAndSearch(parts, call, { request, search });
    // A drain waits for the answer too, and for what its sending does to the ledger.
    return withAfterwards(answer, leaveWithThread);
  } finally {
    if (answer === undefined) leaveWithThread();
  }
}

async function holdAndSearch(
  parts: ServiceParts,
  call: SearchCall,
  { request, search }: { request: SearchRequest; search: Search },
): Promise<HttpAnswer> {
  const { key, requestId } = call;
  // Both at once: what matters is that the hold is durable before the answer leaves.
  const held = parts.ledger.hold({
    ...{ requestId, customerId: key.customerId, keyId: key.id },
    ...{ credits: SEARCH_CREDITS, now: parts.now() },
  });
  const finding = find(parts, call, { request, search });
  // Where the hold fails, nobody waits for it.
  finding.catch(() => {});
  const balance = await held;
  // The last credit may have gone to another search since the balance was read.
  if (balance === undefined) return insufficient(parts.balanceOf(key.customerId));
  let found: Found;
  try {
    found = await finding;
  } catch (error) {
    return await giveBack(parts, requestId, error);
  }
  const answer = jsonTextAnswer(200, found.body);
  answer.headers['X-Token-Budget'] = String(Math.ceil(answer.body.length / CHARACTERS_PER_TOKEN));
  answer.headers['X-Credit-Balance'] = String(balance);
  if (call.request.header(LANES_HEADER.toLowerCase()) === '1') {
    answer.headers[LANES_HEADER] = found.lanes;
  }
  answer.onSent = (left) => {
    const resolved = left ? parts.ledger.settle(requestId) : parts.ledger.release(requestId);
    resolved.catch((error: Error) => {
      parts.log.error('ledger_failed', { request_id: requestId, reason: error.message });
    });
  };
  return answer;
}

/**
 * The local answer, or, where the index has nothing close, one that has the lanes' documents too.
 * Throws `search_timeout` only where there is no answer at all in time.
 */
async function find(
  parts: ServiceParts,
  { logged }: SearchCall,
  { request, search }: { request: SearchRequest; search: Search },
): Promise<Found> {
  const { requestTimeoutMs } = parts.settings;
  const deadline = performance.now() + requestTimeoutMs;
  const { json, c } = await withTimeout(search(), requestTimeoutMs);
  if (parts.lanes === undefined) return { body: json, lanes: 'off' };
  const { merged, trace } = await parts.lanes.fallback(request, c, deadline);
  const lanes = formatTrace(trace);
  logged['lanes'] = lanes;
  return { body: merged ?? json, lanes };
}

/** Releases the hold of a search without a result and says so. */
async function giveBack(
  parts: ServiceParts,
  requestId: string,
  error: unknown,
): Promise<HttpAnswer> {
  const told = customerError(error, (reason) => {
    parts.log.error('search_failed', { request_id: requestId, reason });
  });
  const balance = await parts.ledger.release(requestId);
  return errorAnswer(told, { 'X-Credit-Balance': String(balance) });
}

function insufficient(balance: number): HttpAnswer {
  return errorAnswer(new VerbatimError('insufficient_credit'), {
    'X-Credit-Balance': String(balance),
  });
}

/** Adds work to what follows the sending of an answer. */
function withAfterwards(answer: HttpAnswer, work: () => void): HttpAnswer {
  const { onSent } = answer;
  return {
    ...answer,
    onSent: (left) => {
      onSent?.(left);
      work();
    },
  };
}

/** Rejects with `search_timeout` when the time is over; the search itself cannot be interrupted. */
function withTimeout<Result>(work: Promise<Result>, timeoutMs: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new VerbatimError('search_timeout')), timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
