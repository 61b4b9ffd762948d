/**
 * The references of a call that the index does not have, looked up at the lanes. Each is a part of the
 * call with a price of its own. One that no lane answered is free.
 */
import { isAnswered, lookUpReferences, planLookUps } from '../lanes/plan-look-ups.ts';
import type { VerifyRequest } from '../verify/open-verify.ts';
import type { VerifiedItems } from '../verify/threads/verify-worker.ts';
import type { MoreWork } from './paid-answer.ts';
import type { PaidCall } from './paid-call.ts';
import type { ServiceDeps } from './service-deps.ts';

/** Returns the work that follows from what the index does not have; undefined if it has everything. */
export function lookUpsOf(
  { settings, lanes, verify }: ServiceDeps,
  { key, logged }: PaidCall,
  request: VerifyRequest,
): (verified: VerifiedItems) => MoreWork<VerifiedItems> | undefined {
  return ({ sought }) => {
    if (sought.length === 0) return undefined;
    const choices = [request.lanes ?? null, key.customerLanes, key.lanes] as const;
    const names = lanes?.names ?? [];
    const plan = planLookUps(sought, { choices: [...choices], names }, settings);
    const { length: parts } = plan.asked;
    logged['looked_up'] = parts;
    return {
      parts,
      credits: settings.verifyLookUpCredits,
      timeoutMs: settings.verifyLookUpMsMax + settings.requestTimeoutMs,
      async find() {
        const lookedUp = await lookUpReferences(
          plan,
          lanes && ((reference, options) => lanes.lookUp({ reference, options }, key.customerId)),
        );
        const isPartFree = lookedUp.slice(0, parts).map(({ answers }) => !isAnswered(answers));
        return { found: await verify({ ...request, lookedUp }, key.customerId), isPartFree };
      },
    };
  };
}
