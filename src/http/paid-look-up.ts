/**
 * A look-up that costs one credit. It holds, settles, and releases like a search. What is not found
 * is never held, so it is free.
 */
import { VerbatimError } from '../errors.ts';
import {
  acquireForKey,
  afterSending,
  CALL_CREDITS,
  type PaidCall,
  precheck,
  respondToFailedHold,
  settleWhenSent,
  unpaid,
} from './paid-call.ts';
import { jsonResponse, type TextResponse } from './responses.ts';
import type { ServiceDeps } from './service-deps.ts';

/**
 * Looks something up within the key's limit of calls in flight and the server's. The caller must
 * call `onSent` of the response. Throws the expected errors of every step before the hold, and
 * `not_found` if `lookUp` returns undefined.
 */
export async function paidLookUp(
  deps: ServiceDeps,
  call: PaidCall,
  lookUp: () => unknown,
): Promise<TextResponse> {
  const releaseKey = acquireForKey(deps, call.key);
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
  call: PaidCall,
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
  const credits = CALL_CREDITS;
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
  return settleWhenSent(deps, requestId, response);
}
