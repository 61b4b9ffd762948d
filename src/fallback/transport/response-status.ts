/** What a status and its headers mean for a lane. Pure, but for the clock behind a date. */
import { LaneFailure } from '../lane/lane-errors.ts';
import type { HttpResponse } from './http-client.ts';

/** The body of an answer that is one. Throws the failure that any other status means. */
export function acceptedBody(answer: HttpResponse): string {
  const { status } = answer;
  if (status >= 200 && status < 300) return answer.body;
  const retryAfterMs = retryAfterOf(answer.headers);
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

/** Milliseconds that `Retry-After` asks for, in seconds or as a date; undefined without one. */
function retryAfterOf(headers: HttpResponse['headers']): number | undefined {
  const text = (headers['retry-after'] ?? '').trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const time = text === '' ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : Math.max(0, time - Date.now());
}

/** A header's number; undefined where it has none. */
export function numberOf(text: string | undefined): number | undefined {
  const number = Number(text?.trim() || Number.NaN);
  return Number.isFinite(number) ? number : undefined;
}
