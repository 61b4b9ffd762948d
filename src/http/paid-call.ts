/**
 * What all paid calls share: the hold and its outcomes. The credit is held durably before the
 * response leaves, and settled only after it left.
 */
import type { KeyCredit } from '../accounts/ports/paid-call-store.ts';
import type { ApiKey } from '../accounts/sql/api-keys.ts';
import type { CallKind } from '../accounts/sql/credit-entries.ts';
import type { AnswerMeasures } from '../accounts/sqlite/ledger/answer-measures.ts';
import type { RepeatableRequest } from '../accounts/sqlite/ledger/stored-answers.ts';
import { type ErrorCode, messageOf, VerbatimError } from '../errors.ts';
import type { LogFields } from '../log.ts';
import type { CallRecord } from './call-record.ts';
import { creditsLeft, customerError, errorResponse, type TextResponse } from './responses.ts';
import type { ServiceDeps } from './service-deps.ts';

export const BALANCE_HEADER = 'X-Credit-Balance';

/** The price of most calls. */
export const CALL_CREDITS = 1;

export interface PaidCall {
  requestId: string;
  key: ApiKey;
  /** What the key may spend, as the request found it. The hold decides. */
  credit: KeyCredit;
  /** Its price. Absent: that of most calls. */
  credits?: number;
  /** Extra fields for the request's log line. */
  logged: LogFields;
  /** What its customer reads of it later. */
  record: CallRecord;
  /** The request to store the answer for; undefined if it has no `Idempotency-Key`. */
  repeatable?: RepeatableRequest | undefined;
}

/** Holds of a call that is answered, by their request ids. */
export interface AnsweredHolds {
  charged?: readonly string[];
  /** What is known of the charged answers, by the request ids of their holds. */
  measures?: Readonly<Record<string, AnswerMeasures>>;
  /** Holds of what the answer says nothing about. */
  released?: readonly string[];
  /** All credits that are held. Absent: the price of the call for each hold. */
  credits?: number;
  /** What the charged holds cost. Absent: the price of the call for each. */
  price?: number;
}

/** A held credit with the balance that it leaves, or the response to a call that could not hold it. */
export type Hold = { balance: number } | { rejection: TextResponse };

/** Holds the price of a call. Resolves when that is durable. Nothing is charged yet. */
export async function holdCredit(deps: ServiceDeps, call: PaidCall, kind: CallKind): Promise<Hold> {
  const { requestId, key, credits = CALL_CREDITS } = call;
  const { customerId, id: keyId } = key;
  let balance: number | undefined;
  try {
    const hold = { requestId, customerId, keyId, credits, call: kind, now: deps.now() };
    balance = await deps.store.hold(hold);
  } catch (error) {
    return { rejection: await respondToFailedHold(deps, call, error) };
  }
  if (balance !== undefined) return { balance };
  const missing = new VerbatimError('insufficient_credit');
  return { rejection: unpaid(missing, await deps.store.readBalance(customerId)) };
}

/**
 * Holds the price of a call once for each id. Resolves to the balance left. Rejects if one cannot be
 * held: the caller must then release all of them.
 */
export async function holdEach(
  { store, now }: ServiceDeps,
  { key, credits = CALL_CREDITS }: PaidCall,
  kind: CallKind,
  requestIds: readonly string[],
): Promise<number> {
  const owner = { customerId: key.customerId, keyId: key.id, credits, call: kind, now: now() };
  // A hold that is still being made could not be released.
  const outcomes = await Promise.allSettled(
    requestIds.map((requestId) => store.hold({ ...owner, requestId })),
  );
  const balances = outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    if (outcome.value === undefined) throw new VerbatimError('insufficient_credit');
    return outcome.value;
  });
  return Math.min(...balances);
}

/**
 * Charges for the answer to a call. Without an `Idempotency-Key`, holds are settled once the response
 * has left, and released if it was lost. With one, the answer is stored and charged, durably, when
 * this resolves: a client that is gone gets it when it repeats the request. If that fails, nothing is
 * charged, and the response is an error.
 */
export async function chargeAnswer(
  deps: ServiceDeps,
  call: PaidCall,
  response: TextResponse,
  { charged = [], measures = {}, released = [], credits, price }: AnsweredHolds,
): Promise<TextResponse> {
  const { repeatable } = call;
  try {
    const balance =
      repeatable === undefined
        ? await releaseAll(deps, released)
        : await storeAnswer(deps, { ...call, repeatable }, response, {
            charged,
            measures,
            released,
          });
    if (balance !== undefined) response.headers[BALANCE_HEADER] = String(creditsLeft(balance));
  } catch (error) {
    return await releaseAndRespond(deps, call, error, [...charged, ...released], credits);
  }
  const holds = { ids: charged, price: price ?? charged.length * (call.credits ?? CALL_CREDITS) };
  if (repeatable === undefined) return settleWhenSent(deps, call, response, { ...holds, measures });
  call.record.credits = holds.price;
  return response;
}

/** Stores a response with its headers, but for the balance, which a repeat finds anew. */
function storeAnswer(
  deps: ServiceDeps,
  { requestId, repeatable }: PaidCall & { repeatable: RepeatableRequest },
  { headers, body }: TextResponse,
  holds: Required<Omit<AnsweredHolds, 'credits' | 'price'>>,
): Promise<number> {
  const now = deps.now();
  const { [BALANCE_HEADER]: _, ...stored } = headers;
  const expiresAt = now + deps.settings.answerAgeMsMax;
  const answer = { request: repeatable, requestId, headers: stored, body, expiresAt, now };
  return deps.store.storeAnswer({ ...answer, ...holds });
}

/** Holds that a response settles, and what they cost. */
interface HoldsToSettle extends Pick<AnsweredHolds, 'measures'> {
  ids: readonly string[];
  price: number;
}

/** Settles holds when the response has left, and releases them if the response was lost. */
export function settleWhenSent(
  deps: ServiceDeps,
  { record }: PaidCall,
  response: TextResponse,
  { ids, price, measures = {} }: HoldsToSettle,
): TextResponse {
  const { onSent } = response;
  response.onSent = (left) => {
    onSent?.(left);
    if (left) record.credits = price;
    for (const id of ids) {
      const resolved = left ? deps.store.settle(id, measures[id]) : deps.store.release(id);
      resolved.catch((error: unknown) => {
        // The operation stays pending and is written later. The log already has the cause.
        if (isCode(error, 'degraded')) return;
        deps.log.error('ledger_failed', { request_id: id, reason: messageOf(error) });
      });
    }
  };
  return response;
}

/** Releases the holds of a failed call and builds the error response. */
export async function releaseAndRespond(
  deps: ServiceDeps,
  call: PaidCall,
  error: unknown,
  requestIds: readonly string[] = [call.requestId],
  credits: number = requestIds.length * (call.credits ?? CALL_CREDITS),
): Promise<TextResponse> {
  const publicError = customerError(error, (reason) => {
    deps.log.error('search_failed', { request_id: call.requestId, reason });
  });
  const balance = await releaseAll(deps, requestIds).catch(async (failure: unknown) => {
    if (!isCode(failure, 'degraded')) throw failure;
    // Not written yet. This process or the next start will write it.
    const balance = await deps.store.readBalance(call.key.customerId);
    return balance + credits;
  });
  return errorResponse(publicError, { [BALANCE_HEADER]: String(creditsLeft(balance ?? 0)) });
}

/** Releases holds. Resolves to the balance after the last one; undefined if none was open. */
async function releaseAll(
  { store }: ServiceDeps,
  requestIds: readonly string[],
): Promise<number | undefined> {
  const outcomes = await Promise.allSettled(requestIds.map((id) => store.release(id)));
  let balance: number | undefined;
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') throw outcome.reason;
    balance = outcome.value ?? balance;
  }
  return balance;
}

/** Builds the response to a call whose credit could not be held. Nothing is charged. */
async function respondToFailedHold(
  deps: ServiceDeps,
  { key, requestId, logged }: PaidCall,
  error: unknown,
): Promise<TextResponse> {
  if (isCode(error, 'at_capacity')) return errorResponse(error);
  const balance = await deps.store.readBalance(key.customerId);
  if (isCode(error, 'key_cap_reached')) return unpaid(error, balance);
  if (isCode(error, 'degraded')) {
    // The log has the cause once. This marks the requests that it affected.
    logged['degraded'] = true;
    return unpaid(new VerbatimError('degraded'), balance);
  }
  const publicError = customerError(error, (reason) => {
    deps.log.error('hold_failed', { request_id: requestId, reason });
  });
  return unpaid(publicError, balance);
}

function isCode(error: unknown, code: ErrorCode): error is VerbatimError {
  return error instanceof VerbatimError && error.code === code;
}

/** Builds the response to a call that was not charged, with the balance. */
export function unpaid(error: VerbatimError, balance: number): TextResponse {
  return errorResponse(error, { [BALANCE_HEADER]: String(creditsLeft(balance)) });
}

/** Rejects with `search_timeout` when the time is up. The work itself cannot be interrupted. */
export function withTimeout<Result>(work: Promise<Result>, timeoutMs: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new VerbatimError('search_timeout')), timeoutMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
