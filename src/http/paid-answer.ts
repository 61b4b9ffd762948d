/** A paid call whose answer a search thread finds: hold, settle, and release as for a search. */
import type { CallKind } from '../accounts/sql/credit-entries.ts';
import { partId } from '../accounts/sql/request-parts.ts';
import { admit } from './admission.ts';
import {
  BALANCE_HEADER,
  CALL_CREDITS,
  chargeAnswer,
  holdCredit,
  holdEach,
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
  /** What else the call does and costs, as far as that is known from what was found. */
  more?: (found: Found) => MoreWork<Found> | undefined;
  /** Builds the response to pay for. What it throws costs nothing. */
  respond: (found: Found) => TextResponse;
  /** Whether the answer says nothing worth the price; otherwise it is charged. */
  isFree?: (found: Found) => boolean;
}

/** Parts of a call, each with a price of its own. */
export interface MoreWork<Found> {
  parts: number;
  /** The price of each part. */
  credits: number;
  timeoutMs: number;
  /** Begins when all parts are held. */
  find: () => Promise<{ found: Found; isPartFree: readonly boolean[] }>;
}

/** What a call holds. */
interface Held {
  requestIds: string[];
  credits: number;
  /** The balance that the holds leave. */
  balance: number;
}

/** The caller has a permit of the key. Throws the expected errors of every step before the hold. */
export function paidAnswer<Found>(
  deps: ServiceDeps,
  call: PaidCall,
  { kind, find, more, respond, isFree }: PaidWork<Found>,
): Promise<TextResponse> {
  return admit(deps, call, async (permit) => {
    const started = performance.now();
    const finding = find();
    permit.keepUntil(finding);
    const first = withTimeout(finding, deps.settings.requestTimeoutMs);
    // If the hold fails, nobody awaits it.
    first.catch(() => {});
    const hold = await holdCredit(deps, call, kind);
    if ('rejection' in hold) return hold.rejection;
    const { requestId, credits = CALL_CREDITS } = call;
    const held: Held = { requestIds: [requestId], credits, balance: hold.balance };
    const free = new Set<string>();
    let freed = 0;
    let response: TextResponse;
    try {
      let found: Found = await first;
      const work = more?.(found);
      if (work !== undefined) {
        const partIds = await holdMore(deps, call, { kind, work, held });
        const finding = work.find();
        permit.keepUntil(finding);
        const { isPartFree, ...rest } = await withTimeout(finding, work.timeoutMs);
        found = rest.found;
        for (const [at, id] of partIds.entries()) {
          if (isPartFree[at] !== true) continue;
          free.add(id);
          freed += work.credits;
        }
      }
      response = respond(found);
      if (isFree?.(found)) {
        free.add(requestId);
        freed += credits;
      }
    } catch (error) {
      return await releaseAndRespond(deps, call, error, held.requestIds, held.credits);
    }
    response.headers[BALANCE_HEADER] = String(held.balance);
    return await chargeAnswer(deps, call, response, {
      charged: held.requestIds.filter((id) => !free.has(id)),
      released: [...free],
      credits: held.credits,
      price: held.credits - freed,
      measures: { [requestId]: { milliseconds: performance.now() - started, lanes: [] } },
    });
  });
}

/** Holds the price of each part, and adds it to `held`. Resolves to the ids of the holds. */
async function holdMore(
  deps: ServiceDeps,
  call: PaidCall,
  { kind, work, held }: { kind: CallKind; work: MoreWork<unknown>; held: Held },
): Promise<string[]> {
  const { parts, credits } = work;
  if (credits === 0 || parts === 0) return [];
  const requestIds = Array.from({ length: parts }, (_, at) => partId(call.requestId, at + 1));
  // Before they are made, so that whatever fails releases them.
  held.requestIds.push(...requestIds);
  held.credits += parts * credits;
  held.balance = await holdEach(deps, { ...call, credits }, kind, requestIds);
  return requestIds;
}
