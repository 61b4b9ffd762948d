/**
 * POST /v1/verify. It costs a search's credit, which is released before the response if nothing could
 * be said of any item.
 */
import { VerbatimError } from '../errors.ts';
import type { VerifyItem } from '../verify/open-verify.ts';
import type { VerifiedItems } from '../workers/verify-worker.ts';
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
import { jsonTextResponse, type TextResponse } from './responses.ts';
import type { ServiceDeps } from './service-deps.ts';
import { checkMediaType } from './validate.ts';
import { parseVerifyBody } from './validate-verify.ts';

/** Throws the expected errors of every step before the hold. */
export async function verifyEndpoint(
  deps: ServiceDeps,
  call: PaidCall & { request: HttpRequest },
): Promise<TextResponse> {
  const releaseKey = acquireForKey(deps, call.key);
  let response: TextResponse | undefined;
  try {
    checkMediaType(call.request.header('content-type'));
    assertNotCompressed(call.request.header('content-encoding'));
    const items = parseVerifyBody(await call.request.readBody(deps.settings));
    response = afterSending(await admit(deps, call, items), releaseKey);
    return response;
  } finally {
    if (response === undefined) releaseKey();
  }
}

/** Checks credit and capacity, in this order. Neither rejection touches the balance. */
async function admit(
  deps: ServiceDeps,
  call: PaidCall,
  items: VerifyItem[],
): Promise<TextResponse> {
  const balance = deps.recentBalanceOf(call.key.customerId);
  const rejection = precheck(deps, call.key, balance);
  if (rejection !== undefined) return unpaid(rejection, balance);
  if (deps.ledger.fault() !== undefined) throw new VerbatimError('degraded');
  const release = deps.state() === 'ok' ? deps.searchLimiter.acquire() : undefined;
  if (release === undefined) return atCapacity(deps);
  const verifying = deps.verify(items);
  // A call that timed out still occupies its thread, so the permit is released with the thread.
  const releaseWithThread = (): void => void verifying.then(release, release);
  let response: TextResponse | undefined;
  try {
    response = afterSending(await holdAndVerify(deps, call, verifying), releaseWithThread);
    return response;
  } finally {
    if (response === undefined) releaseWithThread();
  }
}

async function holdAndVerify(
  deps: ServiceDeps,
  call: PaidCall,
  verifying: Promise<VerifiedItems>,
): Promise<TextResponse> {
  const { key, requestId } = call;
  const verified = withTimeout(verifying, deps.settings.requestTimeoutMs);
  // If the hold fails, nobody awaits it.
  verified.catch(() => {});
  let balance: number | undefined;
  try {
    balance = await deps.ledger.hold({
      requestId,
      customerId: key.customerId,
      keyId: key.id,
      credits: CALL_CREDITS,
      now: deps.now(),
    });
  } catch (error) {
    return respondToFailedHold(deps, call, error);
  }
  if (balance === undefined) {
    return unpaid(new VerbatimError('insufficient_credit'), deps.balanceOf(key.customerId));
  }
  try {
    const { json, saysAnything } = await verified;
    const left = saysAnything ? balance : await deps.ledger.release(requestId);
    const headers = { 'X-Credit-Balance': String(left ?? balance) };
    const response = jsonTextResponse(200, json, headers);
    return saysAnything ? settleWhenSent(deps, requestId, response) : response;
  } catch (error) {
    return await releaseAndRespond(deps, call, error);
  }
}
