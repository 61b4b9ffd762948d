/**
 * A look-up that costs one credit. It holds, settles, and releases like a search. What is not found
 * is never held, so it is free.
 */
import { VerbatimError } from '../errors.ts';
import { admit, withKeyPermit } from './admission.ts';
import { CALL_CREDITS, holdCredit, type PaidCall, settleWhenSent } from './paid-call.ts';
import { jsonResponse, type TextResponse } from './responses.ts';
import type { ServiceDeps } from './service-deps.ts';

/**
 * Looks something up within the key's limit of calls in flight and the server's. The caller must
 * call `onSent` of the response. Throws the expected errors of every step before the hold, and
 * `not_found` if `lookUp` resolves to undefined.
 */
export async function paidLookUp(
  deps: ServiceDeps,
  call: PaidCall,
  lookUp: () => Promise<object | undefined>,
): Promise<TextResponse> {
  return await withKeyPermit(deps, call.key, () =>
    admit(deps, call, async () => {
      const found = await lookUp();
      if (found === undefined) throw new VerbatimError('not_found');
      const hold = await holdCredit(deps, call, 'paper');
      if ('rejection' in hold) return hold.rejection;
      const response = jsonResponse(200, found, { 'X-Credit-Balance': String(hold.balance) });
      return settleWhenSent(deps, call, response, { ids: [call.requestId], price: CALL_CREDITS });
    }),
  );
}
