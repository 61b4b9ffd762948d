/**
 * Requests with an `Idempotency-Key`. The answer to the first is stored with its charge; a repeat
 * gets the stored one and costs nothing. A repeat of a batch runs the questions that have failed.
 */
import { createHash } from 'node:crypto';
import type { AnswerLookUp } from '../accounts/ports/paid-call-store.ts';
import type { RepeatableRequest, StoredAnswer } from '../accounts/sqlite/ledger/stored-answers.ts';
import { VerbatimError } from '../errors.ts';
import { badRequest } from './field-errors.ts';
import type { HttpRequest } from './messages.ts';
import { BALANCE_HEADER, type PaidCall } from './paid-call.ts';
import { parseIdempotencyKey } from './parse-idempotency-key.ts';
import {
  creditsLeft,
  ERROR_CODE_HEADER,
  jsonTextResponse,
  type TextResponse,
} from './responses.ts';
import type { ServiceDeps } from './service-deps.ts';

const IDEMPOTENCY_HEADER = 'Idempotency-Key';

/** Throws a 400 if a request has the header where no answer is stored, so that nobody relies on it. */
export function assertNoIdempotencyKey({ header }: HttpRequest): void {
  if (header(IDEMPOTENCY_HEADER.toLowerCase()) === '') return;
  throw badRequest(
    `${IDEMPOTENCY_HEADER}: only POST /v1/search, /v1/search/batch, and /v1/verify take it`,
  );
}

export interface OnceOptions {
  /** Whether a stored answer is all that can be said; otherwise, a repeat works on what is missing. */
  isWhole?: (stored: StoredAnswer) => boolean;
}

/**
 * Returns the stored answer if the request repeats an answered one. Otherwise runs `work` with the
 * request to store its answer for, or without one if it has no key, and with the stored answer that is
 * not whole. Throws `idempotency_in_flight`,
 * `idempotency_key_reused`, `too_many_answers`, a 400 for a malformed key, and what `work` throws.
 */
export async function answerOnce(
  deps: ServiceDeps,
  call: PaidCall & { request: HttpRequest },
  body: Uint8Array,
  work: (
    repeatable: RepeatableRequest | undefined,
    partial: StoredAnswer | undefined,
  ) => Promise<TextResponse>,
  { isWhole = () => true }: OnceOptions = {},
): Promise<TextResponse> {
  const header = call.request.header(IDEMPOTENCY_HEADER.toLowerCase());
  if (header === '') return await work(undefined, undefined);
  const { requestsInFlight, settings } = deps;
  const { customerId } = call.key;
  const idempotencyKey = parseIdempotencyKey(header, settings.idempotencyKeyCharactersMax);
  const repeatable = { customerId, idempotencyKey, fingerprint: fingerprintOf(call, body) };
  const name = `${customerId} ${idempotencyKey}`;
  const first = requestsInFlight.get(name);
  if (first !== undefined) {
    assertSame(first, repeatable);
    // Both may repeat an answered request.
    const stored = await first.stored;
    if (!stored || !isWhole(stored)) throw new VerbatimError('idempotency_in_flight');
    return await repeated(deps, call, stored);
  }
  const lookingUp = deps.store.findAnswer({ customerId, idempotencyKey, now: deps.now() });
  const stored = lookingUp.then((found) => found.stored);
  // If the look-up fails, nobody else may await it.
  stored.catch(() => {});
  // Before anything is awaited, so that a second request finds the first.
  requestsInFlight.set(name, { ...repeatable, stored });
  try {
    const found = await lookingUp;
    if (found.stored !== undefined) {
      assertSame(found.stored, repeatable);
      if (isWhole(found.stored)) return await repeated(deps, call, found.stored);
    }
    // What replaces an answer needs no more room than it.
    else assertRoom(settings, found);
    const replaces = found.stored && { replaces: found.stored.requestId };
    const response = await work({ ...repeatable, ...replaces }, found.stored);
    if (response.status === 200) return response;
    // What was paid for can be had again, although the rest cannot be paid for or done now.
    const stored = (await answerOfOtherNode(deps, repeatable, response)) ?? found.stored;
    if (stored === undefined) return response;
    const { onSent } = response;
    return { ...(await repeated(deps, call, stored)), ...(onSent && { onSent }) };
  } finally {
    requestsInFlight.delete(name);
  }
}

/**
 * Returns the answer of another node that searched for the same request at the same time and stored its
 * answer first. The response of this node then only says so, and has charged nothing.
 */
async function answerOfOtherNode(
  deps: ServiceDeps,
  { customerId, idempotencyKey, fingerprint }: RepeatableRequest,
  response: TextResponse,
): Promise<StoredAnswer | undefined> {
  const inFlight = new VerbatimError('idempotency_in_flight');
  if (response.headers[ERROR_CODE_HEADER] !== inFlight.code) return undefined;
  const { stored } = await deps.store.findAnswer({ customerId, idempotencyKey, now: deps.now() });
  if (stored !== undefined) assertSame(stored, { fingerprint });
  return stored;
}

/** The same for the same path and body, byte for byte. */
function fingerprintOf({ request }: { request: HttpRequest }, body: Uint8Array): Uint8Array {
  return createHash('sha256').update(`${request.path}\n`).update(body).digest();
}

function assertSame(
  first: Pick<RepeatableRequest, 'fingerprint'>,
  repeat: Pick<RepeatableRequest, 'fingerprint'>,
): void {
  if (Buffer.compare(first.fingerprint, repeat.fingerprint) === 0) return;
  throw new VerbatimError('idempotency_key_reused');
}

/** Answers in flight may exceed the limits by their own number. */
function assertRoom(settings: ServiceDeps['settings'], { own, all }: AnswerLookUp): void {
  const hasRoom =
    own.answers < settings.answersPerCustomerMax &&
    own.bytes < settings.answerBytesPerCustomerMax &&
    all.bytes < settings.answerBytesMax;
  if (!hasRoom) throw new VerbatimError('too_many_answers');
}

/** The stored answer with the balance of today, since the repeat has not changed it. */
async function repeated(
  deps: ServiceDeps,
  { key, logged }: PaidCall,
  { headers, body, requestId }: StoredAnswer,
): Promise<TextResponse> {
  logged['repeats'] = requestId;
  const balance = await deps.store.readBalance(key.customerId);
  return jsonTextResponse(200, body, {
    ...headers,
    [BALANCE_HEADER]: String(creditsLeft(balance)),
    'Idempotency-Replayed': 'true',
    'X-Original-Request-Id': requestId,
  });
}
