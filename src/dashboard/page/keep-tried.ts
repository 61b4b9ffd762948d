/** Records what the page Try it asked, as a request of the key that it used. */
import { TRY_PATH } from '../../http/api-paths.ts';
import { toRequest } from '../../http/call-record.ts';
import type { PaidCall } from '../../http/paid-call.ts';
import type { TextResponse } from '../../http/responses.ts';
import type { DashboardDeps } from './dashboard-deps.ts';

/**
 * Records a call once its response was shown or dropped, or at once if nothing waits for that. `asked` is
 * the body that the API would have got. Returns the response.
 */
export function recordTried(
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
