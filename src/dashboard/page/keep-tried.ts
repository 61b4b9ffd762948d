/** Keeps what a form of the page Try it found, and records it as a request of the key that it used. */
import { TRY_PATH } from '../../http/api-paths.ts';
import { toRequest } from '../../http/call-record.ts';
import type { PaidCall } from '../../http/paid-call.ts';
import { errorOf, type TextResponse } from '../../http/responses.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import type { CustomerCall } from './page.ts';
import type { TriedCall, TriedSearch, TriedText } from './tried-searches.ts';

interface AnsweredCall {
  paid: PaidCall;
  /** The body that the API would have got. */
  asked: object;
  startedAt: number;
  response: TextResponse;
  /** What the result page shows besides the response. */
  what: Omit<TriedSearch, keyof TriedCall> | Omit<TriedText, keyof TriedCall>;
}

/**
 * Records a call, and keeps its response until the result page shows it. Returns the name of the result.
 * Throws the error of a response that is one.
 */
export function keepTried(
  deps: DashboardDeps,
  { session, requestId }: CustomerCall,
  { paid, response: answered, what, ...started }: AnsweredCall,
): string {
  const response = recordTried(deps, paid, started, answered);
  if (response.status !== 200) {
    response.onSent?.(true);
    throw errorOf(response);
  }
  const { name: keyName, prefix: keyPrefix } = paid.key;
  return deps.tried.put(session.customer.id, { ...what, requestId, response, keyName, keyPrefix });
}

/**
 * Records a call once its response was shown or dropped, or at once if nothing waits for that. `asked` is
 * the body that the API would have got. Returns the response.
 */
function recordTried(
  { service: { requests, settings, now } }: DashboardDeps,
  { key: owner, requestId, record, logged }: PaidCall,
  { asked, startedAt }: { asked: object; startedAt: number },
  response: TextResponse,
): TextResponse {
  record.asked = JSON.stringify(asked);
  const milliseconds = now() - startedAt;
  const call = { owner, requestId, path: TRY_PATH, record, logged, response, milliseconds };
  const finish = (sent: boolean): void => {
    requests.record(toRequest({ ...call, sent, startedAt }, settings.requestTextMax));
  };
  const { onSent } = response;
  if (onSent === undefined) {
    finish(true);
    return response;
  }
  return {
    ...response,
    onSent(left) {
      onSent(left);
      finish(left);
    },
  };
}
