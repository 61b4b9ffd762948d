/**
 * What all paid calls share: permits, the check of credit, and the outcomes of a hold. The credit is
 * held durably before the response leaves, and settled only after it left.
 */
import { type ErrorCode, messageOf, VerbatimError } from '../errors.ts';
import type { LogFields } from '../log.ts';
import type { ApiKey } from '../store/accounts/api-keys.ts';
import { periodOf } from '../store/accounts/ledger.ts';
import { creditsLeft, customerError, errorResponse, type TextResponse } from './responses.ts';
import type { ServiceDeps } from './service-deps.ts';

/** The price of a call. */
export const CALL_CREDITS = 1;

export interface PaidCall {
  requestId: string;
  key: ApiKey;
  /** Extra fields for the request's log line. */
  logged: LogFields;
}

/** Takes a permit of the key. Returns its release. Throws `too_many_in_flight`. */
export function acquireForKey(deps: ServiceDeps, key: ApiKey): () => void {
  const release = deps.searchLimiter.acquireForKey(
    key.id,
    key.inFlightMax ?? deps.settings.inFlightPerKeyMax,
  );
  if (release !== undefined) return release;
  const retryAfterSeconds = deps.searchLimiter.keyWaitSeconds(key.id);
  throw new VerbatimError('too_many_in_flight', undefined, { retryAfterSeconds });
}

/** Builds the response to a call that finds no permit in total. */
export function atCapacity(deps: ServiceDeps): TextResponse {
  const retryAfterSeconds = deps.searchLimiter.waitSeconds();
  const full = new VerbatimError('at_capacity', undefined, { retryAfterSeconds });
  return { ...errorResponse(full), close: deps.state() === 'stopping' };
}

/** Settles the hold of a response that left, and releases that of one that was lost. */
export function settleWhenSent(
  deps: ServiceDeps,
  requestId: string,
  response: TextResponse,
): TextResponse {
  response.onSent = (left) => {
    const resolved = left ? deps.ledger.settle(requestId) : deps.ledger.release(requestId);
    resolved.catch((error: unknown) => {
      // The operation stays pending and is written later. The log already has the cause.
      if (isCode(error, 'degraded')) return;
      deps.log.error('ledger_failed', { request_id: requestId, reason: messageOf(error) });
    });
  };
  return response;
}

/** Releases the hold of a failed call and builds the error response. */
export async function releaseAndRespond(
  deps: ServiceDeps,
  { key, requestId }: PaidCall,
  error: unknown,
): Promise<TextResponse> {
  const told = customerError(error, (reason) => {
    deps.log.error('search_failed', { request_id: requestId, reason });
  });
  const balance = await deps.ledger.release(requestId).catch((failure: unknown) => {
    if (!isCode(failure, 'degraded')) throw failure;
    // Not written yet. This process or the next start will write it.
    return deps.balanceOf(key.customerId) + CALL_CREDITS;
  });
  return errorResponse(told, { 'X-Credit-Balance': String(creditsLeft(balance ?? 0)) });
}

/** Builds the response to a call whose credit could not be held. Nothing is charged. */
export function respondToFailedHold(
  deps: ServiceDeps,
  { key, requestId, logged }: PaidCall,
  error: unknown,
): TextResponse {
  if (isCode(error, 'at_capacity')) return errorResponse(error);
  const balance = deps.balanceOf(key.customerId);
  if (isCode(error, 'key_cap_reached')) return unpaid(error, balance);
  if (isCode(error, 'degraded')) {
    // The log has the cause once. This marks the requests that it affected.
    logged['degraded'] = true;
    return unpaid(new VerbatimError('internal'), balance);
  }
  const told = customerError(error, (reason) => {
    deps.log.error('hold_failed', { request_id: requestId, reason });
  });
  return unpaid(told, balance);
}

/**
 * Returns why a call cannot be paid, as far as that is known before the hold. The hold decides:
 * another call may take the last credit in the meantime.
 */
export function precheck(
  deps: ServiceDeps,
  { id, creditsPerMonthMax }: ApiKey,
  balance: number,
): VerbatimError | undefined {
  if (balance < CALL_CREDITS) return new VerbatimError('insufficient_credit');
  if (creditsPerMonthMax === null) return undefined;
  const { credits } = deps.usageOf(id, periodOf(deps.now()));
  if (credits + CALL_CREDITS <= creditsPerMonthMax) return undefined;
  return new VerbatimError('key_cap_reached');
}

function isCode(error: unknown, code: ErrorCode): error is VerbatimError {
  return error instanceof VerbatimError && error.code === code;
}

export function unpaid(error: VerbatimError, balance: number): TextResponse {
  return errorResponse(error, { 'X-Credit-Balance': String(creditsLeft(balance)) });
}

/** Runs `work` after the response was sent or lost. */
export function afterSending(response: TextResponse, work: () => void): TextResponse {
  const { onSent } = response;
  return {
    ...response,
    onSent: (left) => {
      onSent?.(left);
      work();
    },
  };
}

/** Rejects with `search_timeout` when the time is up. The work itself cannot be interrupted. */
export function withTimeout<Result>(work: Promise<Result>, timeoutMs: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new VerbatimError('search_timeout')), timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
