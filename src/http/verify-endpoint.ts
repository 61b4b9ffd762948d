/**
 * POST /v1/verify. Each 20 items begun cost a credit. All are released before the response if nothing
 * could be said of any item.
 */
import type { VerifyRequest } from '../verify/open-verify.ts';
import { withKeyPermit } from './admission.ts';
import { answerOnce } from './answer-once.ts';
import { lookUpsOf } from './look-up-references.ts';
import type { HttpRequest } from './messages.ts';
import { paidAnswer } from './paid-answer.ts';
import type { PaidCall } from './paid-call.ts';
import { readJsonBody } from './read-json-body.ts';
import { jsonTextResponse, type TextResponse } from './responses.ts';
import type { ServiceDeps } from './service-deps.ts';
import { parseVerifyBody, verifyCredits } from './validate-verify.ts';

/** Throws the expected errors of every step before the hold. */
export function verifyEndpoint(
  deps: ServiceDeps,
  call: PaidCall & { request: HttpRequest },
): Promise<TextResponse> {
  return withKeyPermit(deps, call.key, async () => {
    const body = await readJsonBody(call, deps.settings);
    const verify = parseVerifyBody(body);
    return await answerOnce(deps, call, body, (repeatable) =>
      verifyAdmitted(deps, { ...call, repeatable }, verify),
    );
  });
}

/**
 * Verifies items that were parsed already, within the same limits. The caller must call `onSent` of
 * the response. Throws the expected errors of every step before the hold.
 */
export function paidVerify(
  deps: ServiceDeps,
  call: PaidCall,
  request: VerifyRequest,
): Promise<TextResponse> {
  return withKeyPermit(deps, call.key, () => verifyAdmitted(deps, call, request));
}

function verifyAdmitted(
  deps: ServiceDeps,
  call: PaidCall,
  request: VerifyRequest,
): Promise<TextResponse> {
  const credits = verifyCredits(request.items.length);
  return paidAnswer(
    deps,
    { ...call, credits },
    {
      kind: 'verify',
      find: () => deps.verify(request, call.key.customerId),
      more: lookUpsOf(deps, call, request),
      respond: ({ json }) => jsonTextResponse(200, json),
      isFree: ({ saysAnything }) => !saysAnything,
    },
  );
}
