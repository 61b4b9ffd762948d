/** What the status and the headers of a response mean for a lane. */
import { LaneFailure } from '../lane/lane-errors.ts';
import type { HttpResponse } from '../lane/provider.ts';

/** The body of a response with a status of 2xx. Any other status throws the matching LaneFailure. */
export function acceptedBody(response: HttpResponse): string {
  assertAccepted(response);
  return response.body;
}

/** Throws the matching LaneFailure unless the status is 2xx. */
export function assertAccepted({ status, headers }: Omit<HttpResponse, 'body'>): void {
  if (status >= 200 && status < 300) return;
  const retryAfterMs = retryAfterOf(headers);
  const message = `status ${status}`;
  if (status === 429 || (status === 503 && retryAfterMs !== undefined)) {
    throw new LaneFailure('rate_limited', message, retryAfterMs);
  }
  if (status === 401 || status === 402 || status === 403) throw new LaneFailure('refused', message);
  if (status === 400 || status === 414 || status === 422) {
    throw new LaneFailure('bad_query', message);
  }
  throw new LaneFailure(status >= 500 ? 'server_error' : 'bad_answer', message);
}

/** The milliseconds of `Retry-After`, which holds seconds or a date. Undefined without one. */
function retryAfterOf(headers: HttpResponse['headers']): number | undefined {
  const text = (headers['retry-after'] ?? '').trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const time = text === '' ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - Date.now());
}

/** The number in a header. Undefined if it holds none. */
export function numberOf(text: string | undefined): number | undefined {
  const number = Number(text?.trim() || Number.NaN);
  return Number.isFinite(number) ? number : undefined;
}
