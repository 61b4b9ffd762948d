/**
 * A look-up that costs one credit. It holds, settles, and releases like a search. What is not found
 * is never held, so it is free.
 */
import { messageOf, VerbatimError } from '../errors.ts';
import { jsonResponse, type TextResponse } from './responses.ts';
import {
  afterSending,
  isCode,
  precheck,
  respondToFailedHold,
  type SearchCall,
  unpaid,
} from './search-endpoint.ts';
import type { ServiceDeps } from './service-deps.ts';

const LOOK_UP_CREDITS = 1;

/**
 * Looks something up within the key's limit of calls in flight and the server's. The caller must
 * call `onSent` of the response. Throws the expected errors of every step before the hold, and
 * `not_found` if `lookUp` returns undefined.
 */
export async function paidLookUp(
  deps: ServiceDeps,
  call: Omit<SearchCall, 'showsLanes'>,
  lookUp: () => unknown,
): Promise<TextResponse> {
  const { key } = call;
  const releaseKey = deps.searchLimiter.acquireForKey(
    key.id,
    key.inFlightMax ?? deps.settings.inFlightPerKeyMax,
  );
  if (releaseKey === undefined) {
    const retryAfterSeconds = deps.searchLimiter.keyWaitSeconds(key.id);
    throw new VerbatimError('too_many_in_flight', undefined, { retryAfterSeconds });
  }
  const release = deps.state() === 'ok' ? deps.searchLimiter.acquire() : undefined;
  const releaseBoth = (): void => {
    release?.();
    releaseKey();
  };
  let response: TextResponse | undefined;
  try {
    if (release === undefined) {
      const retryAfterSeconds = deps.searchLimiter.waitSeconds();
      throw new VerbatimError('at_capacity', undefined, { retryAfterSeconds });
    }
    response = afterSending(await holdAndLookUp(deps, call, lookUp), releaseBoth);
    return response;
  } finally {
    if (response === undefined) releaseBoth();
  }
}

async function holdAndLookUp(
  deps: ServiceDeps,
  call: Omit<SearchCall, 'showsLanes'>,
  lookUp: () => unknown,
): Promise<TextResponse> {
  const { key, requestId } = call;
  const balance = deps.recentBalanceOf(key.customerId);
  const rejection = precheck(deps, key, balance);
  if (rejection !== undefined) return unpaid(rejection, balance);
  if (deps.ledger.fault() !== undefined) throw new VerbatimError('degraded');
  const found = lookUp();
  if (found === undefined) throw new VerbatimError('not_found');
  const { customerId, id: keyId } = key;
  const credits = LOOK_UP_CREDITS;
  let left: number | undefined;
  try {
    left = await deps.ledger.hold({ requestId, customerId, keyId, credits, now: deps.now() });
  } catch (error) {
    return respondToFailedHold(deps, call, error);
  }
  if (left === undefined) {
    return unpaid(new VerbatimError('insufficient_credit'), deps.balanceOf(customerId));
  }
  const response = jsonResponse(200, found, { 'X-Credit-Balance': String(left) });
  response.onSent = (isSent) => resolveHold(deps, requestId, isSent);
  return response;
}

/** Settles the hold if the response was sent, else releases it. */
function resolveHold(deps: ServiceDeps, requestId: string, isSent: boolean): void {
  const resolved = isSent ? deps.ledger.settle(requestId) : deps.ledger.release(requestId);
  resolved.catch((error: unknown) => {
    // The operation stays pending and is written later. The log already has the cause.
    if (isCode(error, 'degraded')) return;
    deps.log.error('ledger_failed', { request_id: requestId, reason: messageOf(error) });
  });
}
