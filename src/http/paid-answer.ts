/** A paid call whose answer a search thread finds: hold, settle, and release as for a search. */
import type { CallKind } from '../accounts/sql/credit-entries.ts';
import { admit } from './admission.ts';
import {
  BALANCE_HEADER,
  chargeAnswer,
  holdCredit,
  type PaidCall,
  releaseAndRespond,
  withTimeout,
} from './paid-call.ts';
import type { TextResponse } from './responses.ts';
import type { ServiceDeps } from './service-deps.ts';

export interface PaidWork<Found> {
  kind: CallKind;
  /** Begins when the call has a permit. */
  find: () => Promise<Found>;
  /** Builds the response to pay for. What it throws costs nothing. */
  respond: (found: Found) => TextResponse;
  /** Whether the answer says nothing worth the price; otherwise it is charged. */
  isFree?: (found: Found) => boolean;
}

/** The caller has a permit of the key. Throws the expected errors of every step before the hold. */
export function paidAnswer<Found>(
  deps: ServiceDeps,
  call: PaidCall,
  { kind, find, respond, isFree }: PaidWork<Found>,
): Promise<TextResponse> {
  return admit(deps, call, async (permit) => {
    const started = performance.now();
    const finding = find();
    permit.keepUntil(finding);
    const found = withTimeout(finding, deps.settings.requestTimeoutMs);
    // If the hold fails, nobody awaits it.
    found.catch(() => {});
    const hold = await holdCredit(deps, call, kind);
    if ('rejection' in hold) return hold.rejection;
    let response: TextResponse;
    let resolved: 'charged' | 'released';
    try {
      const answered = await found;
      response = respond(answered);
      resolved = isFree?.(answered) ? 'released' : 'charged';
    } catch (error) {
      return await releaseAndRespond(deps, call, error);
    }
    response.headers[BALANCE_HEADER] = String(hold.balance);
    const measures = {
      [call.requestId]: { milliseconds: performance.now() - started, lanes: [] },
    };
    return await chargeAnswer(deps, call, response, { [resolved]: [call.requestId], measures });
  });
}
