/**
 * POST /v1/search. The credit is held durably before the response leaves and settled only after it
 * left.
 */
import type { SearchRequest } from '../types.ts';
import { admit, withKeyPermit } from './admission.ts';
import { answerOnce } from './answer-once.ts';
import type { HttpRequest } from './messages.ts';
import { chargeAnswer, type PaidCall } from './paid-call.ts';
import { readJsonBody } from './read-json-body.ts';
import type { TextResponse } from './responses.ts';
import { LANES_HEADER, runSearch, type SearchCall } from './run-search.ts';
import type { ServiceDeps } from './service-deps.ts';
import { parseSearchBody } from './validate.ts';

/** Throws the expected errors of every step before the hold. */
export async function searchEndpoint(
  deps: ServiceDeps,
  call: PaidCall & { request: HttpRequest },
): Promise<TextResponse> {
  const showsLanes = call.request.header(LANES_HEADER.toLowerCase()) === '1';
  return await withKeyPermit(deps, call.key, async () => {
    const body = await readJsonBody(call, deps.settings);
    const request = parseSearchBody(body);
    return await answerOnce(deps, call, body, (repeatable) =>
      searchAndCharge(deps, { ...call, showsLanes, repeatable }, request),
    );
  });
}

/**
 * Runs a search that costs one credit, within the key's limit of searches in flight. Calls
 * `readRequest` once it has a permit. The caller must call `onSent` of the response. Throws the
 * expected errors of every step before the hold.
 */
export async function paidSearch(
  deps: ServiceDeps,
  call: SearchCall,
  readRequest: () => Promise<SearchRequest>,
): Promise<TextResponse> {
  return await withKeyPermit(deps, call.key, async () =>
    searchAndCharge(deps, call, await readRequest()),
  );
}

function searchAndCharge(
  deps: ServiceDeps,
  call: SearchCall,
  request: SearchRequest,
): Promise<TextResponse> {
  return admit(deps, call, async (permit) => {
    const response = await runSearch(deps, call, request, permit);
    if (response.status !== 200) return response;
    const { requestId } = call;
    const measures = response.measures === undefined ? {} : { [requestId]: response.measures };
    const resolved = response.isFree ? 'released' : 'charged';
    return await chargeAnswer(deps, call, response, { [resolved]: [requestId], measures });
  });
}
