/**
 * Admission of paid calls: a permit of the key, then credit, then a permit in total. No rejection
 * touches the balance.
 */
import type { KeyCredit } from '../accounts/ports/paid-call-store.ts';
import type { ApiKey } from '../accounts/sql/api-keys.ts';
import { VerbatimError } from '../errors.ts';
import { CALL_CREDITS, type PaidCall, unpaid } from './paid-call.ts';
import { errorResponse, type TextResponse } from './responses.ts';
import type { ServiceDeps } from './service-deps.ts';

/** A permit in total, which its owner ends. */
export interface Permit {
  /** Keeps the permit until `work` has ended too: what timed out still occupies its thread. */
  keepUntil(work: Promise<unknown>): void;
}

/** A permit that the caller must end. */
export interface OwnPermit extends Permit {
  end(): void;
}

/**
 * Runs `work` with a permit of the key, which ends when the response was sent or lost. The caller
 * must call `onSent` of the response. Throws `too_many_in_flight`, and what `work` throws.
 */
export async function withKeyPermit(
  deps: ServiceDeps,
  key: ApiKey,
  work: () => Promise<TextResponse>,
): Promise<TextResponse> {
  const release = acquireForKey(deps, key);
  if (release !== undefined) return await releaseWhenSent(release, work);
  const retryAfterSeconds = deps.searchLimiter.keyWaitSeconds(key.id);
  throw new VerbatimError('too_many_in_flight', undefined, { retryAfterSeconds });
}

/**
 * Checks credit and capacity, in this order, and runs `work` with a permit in total. What costs a
 * query belongs into `work`, because most requests under overload get no permit. Throws `degraded`,
 * and what `work` throws.
 */
export async function admit(
  deps: ServiceDeps,
  { credit, credits = CALL_CREDITS }: Pick<PaidCall, 'credit' | 'credits'>,
  work: (permit: Permit) => Promise<TextResponse>,
): Promise<TextResponse> {
  const rejection = precheck(credit, credits);
  if (rejection !== undefined) return unpaid(rejection, credit.balance);
  if (deps.store.fault() !== undefined) throw new VerbatimError('degraded');
  return await withPermit(deps, work);
}

/** Runs `work` with a permit in total, whatever the credit. Throws what `work` throws. */
export async function withPermit(
  deps: ServiceDeps,
  work: (permit: Permit) => Promise<TextResponse>,
): Promise<TextResponse> {
  // A search that comes while the server starts waits for its thread to load the model.
  const release = deps.searchLimiter.acquire();
  if (release === undefined) return errorResponse(capacityError(deps));
  const permit = createPermit(release);
  return await releaseWhenSent(permit.end, () => work(permit));
}

/**
 * Returns one more permit for a call that has one; undefined if the key or the server has none left.
 */
export function morePermit(deps: ServiceDeps, key: ApiKey): OwnPermit | undefined {
  const releaseKey = acquireForKey(deps, key);
  if (releaseKey === undefined) return undefined;
  const release = deps.searchLimiter.acquire();
  if (release !== undefined) {
    return createPermit(() => {
      release();
      releaseKey();
    });
  }
  releaseKey();
  return undefined;
}

function acquireForKey({ searchLimiter, settings }: ServiceDeps, key: ApiKey) {
  return searchLimiter.acquireForKey(key.id, key.inFlightMax ?? settings.inFlightPerKeyMax);
}

function createPermit(release: () => void): OwnPermit {
  let last: Promise<unknown> | undefined;
  return {
    keepUntil(work) {
      last = work;
    },
    end() {
      if (last === undefined) release();
      else last.then(release, release);
    },
  };
}

/**
 * Returns why a call cannot be paid, as far as that is known before the hold. The hold decides:
 * another call may take the last credit in the meantime.
 */
function precheck({ balance, monthLeft }: KeyCredit, credits: number): VerbatimError | undefined {
  if (balance < credits) return new VerbatimError('insufficient_credit');
  if (monthLeft === null || monthLeft >= credits) return undefined;
  return new VerbatimError('key_cap_reached');
}

/** Returns `at_capacity` with the seconds to wait. */
export function capacityError({ searchLimiter }: ServiceDeps): VerbatimError {
  const retryAfterSeconds = searchLimiter.waitSeconds();
  return new VerbatimError('at_capacity', undefined, { retryAfterSeconds });
}

/** Releases after the response was sent or lost, or at once if there is none. */
async function releaseWhenSent(
  release: () => void,
  work: () => Promise<TextResponse>,
): Promise<TextResponse> {
  let response: TextResponse | undefined;
  try {
    response = await work();
  } finally {
    if (response === undefined) release();
  }
  const { onSent } = response;
  return {
    ...response,
    onSent: (left) => {
      onSent?.(left);
      release();
    },
  };
}
