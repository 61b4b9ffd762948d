/**
 * POST /v1/search. The credit is held, durably, before the answer leaves, and settled only after
 * that: whatever dies in between, nobody pays for an answer that was not sent.
 */
import { VerbatimError } from '../errors.ts';
import type { LogFields } from '../log.ts';
import type { ApiKey } from '../store/keys.ts';
import { periodOf } from '../store/ledger.ts';
import type { SearchRequest } from '../types.ts';
import type { LocalAnswer } from '../workers/search-worker.ts';
import {
  creditsLeft,
  customerError,
  errorAnswer,
  jsonTextAnswer,
  type TextAnswer,
} from './answers.ts';
import { formatTrace } from './lane-trace.ts';
import type { ServiceParts } from './parts.ts';
import type { HttpRequest } from './server.ts';
import { checkMediaType, parseSearchBody } from './validate.ts';

const SEARCH_CREDITS = 1;
/** Specification 4.1: about four characters a token. */
const CHARACTERS_PER_TOKEN = 4;
/** With the value 1 in a request, it is answered with what the lanes did. */
const LANES_HEADER = 'X-Lanes';
/** A place in flight is free again within a search's time, which is far below a second. */
const PLACE_RETRY_SECONDS = '1';

export interface SearchCall {
  requestId: string;
  key: ApiKey;
  /** Adds to the call's line in the log. */
  logged: LogFields;
  /** Whether the customer asked what the lanes did. */
  showsLanes: boolean;
}

/** What a search has to offer its customer. */
interface Found {
  body: string;
  /** How the lanes took part, for customers who ask for it. */
  lanes: string;
}

type Search = () => Promise<LocalAnswer>;

/** Throws the expected errors of everything up to the debit. */
export function searchEndpoint(
  parts: ServiceParts,
  call: Omit<SearchCall, 'showsLanes'> & { request: HttpRequest },
): Promise<TextAnswer> {
  const showsLanes = call.request.header(LANES_HEADER.toLowerCase()) === '1';
  return paidSearch(parts, { ...call, showsLanes }, async () => {
    checkMediaType(call.request.header('content-type'));
    return parseSearchBody(await call.request.readBody(parts.settings));
  });
}

/**
 * A search that costs a credit, within the places of its key: `readRequest` runs once there is a
 * place. `onSent` of the answer must be called. Throws the expected errors up to the debit.
 */
export async function paidSearch(
  parts: ServiceParts,
  call: SearchCall,
  readRequest: () => Promise<SearchRequest>,
): Promise<TextAnswer> {
  const { key } = call;
  const leaveKey = parts.places.enterKey(
    key.id,
    key.inFlightMax ?? parts.settings.inFlightPerKeyMax,
  );
  if (leaveKey === undefined) {
    return errorAnswer(new VerbatimError('rate_limited'), { 'Retry-After': PLACE_RETRY_SECONDS });
  }
  let answer: TextAnswer | undefined;
  try {
    answer = await admit(parts, call, await readRequest());
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
): Promise<TextAnswer> {
  const balance = parts.balanceOf(call.key.customerId);
  const refusal = foreseeRefusal(parts, call.key, balance);
  if (refusal !== undefined) return unpaid(refusal, balance);
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
  let answer: TextAnswer | undefined;
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
): Promise<TextAnswer> {
  const { key, requestId } = call;
  // Both at once, the search first, as it takes longer: what matters is that the hold is durable
  // before the answer leaves.
  const finding = find(parts, call, { request, search });
  // Where the hold fails, nobody waits for it.
  finding.catch(() => {});
  const held = parts.ledger.hold({
    ...{ requestId, customerId: key.customerId, keyId: key.id },
    ...{ credits: SEARCH_CREDITS, now: parts.now() },
  });
  let balance: number | undefined;
  try {
    balance = await held;
  } catch (error) {
    if (isCapReached(error)) return unpaid(error, parts.balanceOf(key.customerId));
    throw error;
  }
  if (balance === undefined) {
    return unpaid(new VerbatimError('insufficient_credit'), parts.balanceOf(key.customerId));
  }
  let found: Found;
  try {
    found = await finding;
  } catch (error) {
    return await giveBack(parts, requestId, error);
  }
  const answer = jsonTextAnswer(200, found.body);
  answer.headers['X-Token-Budget'] = String(Math.ceil(answer.body.length / CHARACTERS_PER_TOKEN));
  answer.headers['X-Credit-Balance'] = String(balance);
  if (call.showsLanes) answer.headers[LANES_HEADER] = found.lanes;
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
): Promise<TextAnswer> {
  const told = customerError(error, (reason) => {
    parts.log.error('search_failed', { request_id: requestId, reason });
  });
  const balance = await parts.ledger.release(requestId);
  return errorAnswer(told, { 'X-Credit-Balance': String(creditsLeft(balance ?? 0)) });
}

/**
 * Why a search cannot be paid, as far as can be known before anything is begun. The hold decides:
 * the last credit may go to another search meanwhile.
 */
function foreseeRefusal(
  parts: ServiceParts,
  { id, creditsPerMonthMax }: ApiKey,
  balance: number,
): VerbatimError | undefined {
  if (balance < SEARCH_CREDITS) return new VerbatimError('insufficient_credit');
  if (creditsPerMonthMax === null) return undefined;
  const { credits } = parts.usageOf(id, periodOf(parts.now()));
  if (credits + SEARCH_CREDITS <= creditsPerMonthMax) return undefined;
  return new VerbatimError('key_cap_reached');
}

function isCapReached(error: unknown): error is VerbatimError {
  return error instanceof VerbatimError && error.code === 'key_cap_reached';
}

function unpaid(error: VerbatimError, balance: number): TextAnswer {
  return errorAnswer(error, { 'X-Credit-Balance': String(creditsLeft(balance)) });
}

/** Adds work to what follows the sending of an answer. */
function withAfterwards(answer: TextAnswer, work: () => void): TextAnswer {
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
