/**
 * GET /health: the only endpoint without a key. It is about readiness: 200 where searches are
 * answered. GET /health?live is about liveness: any answer says that restarting would not help, so
 * its status is 200 whatever the state.
 */
import { type ErrorCode, VerbatimError } from '../errors.ts';
import type { LaneState } from '../fallback/lanes/lane.ts';
import type { ServiceParts } from './deps.ts';
import type { HttpAnswer, HttpRequest } from './messages.ts';
import { errorHeaders, jsonAnswer, jsonTextAnswer, type TextAnswer } from './responses.ts';

export function healthEndpoint(
  parts: ServiceParts,
  { request }: { request: Pick<HttpRequest, 'query'> },
): HttpAnswer {
  const answer = readiness(parts);
  const isLiveness = new URLSearchParams(request.query).has('live');
  return isLiveness ? jsonTextAnswer(200, answer.body) : answer;
}

function readiness(parts: ServiceParts): TextAnswer {
  const status = parts.state();
  if (status !== 'ok') return unready('not_serving', { status });
  const reason = parts.ledger.fault();
  if (reason !== undefined) return unready('degraded', { status: 'degraded', reason });
  return jsonAnswer(200, {
    status,
    version: parts.version,
    ...parts.totals(),
    model: parts.modelName,
    uptime_s: Math.floor(process.uptime()),
    ...(parts.lanes && { lanes: parts.lanes.states().map(describeLane) }),
  });
}

function unready(code: ErrorCode, body: { status: string; reason?: string }): TextAnswer {
  const error = new VerbatimError(code);
  return jsonAnswer(error.status, body, errorHeaders(error));
}

/** A lane's provider as it is known to be: nothing is asked. */
function describeLane({ lane, provider, state, retryAt, activity, requestsToday }: LaneState) {
  const { latency, ...counts } = activity;
  return {
    lane,
    provider,
    state,
    ...(retryAt === undefined ? {} : { retry_at: new Date(retryAt).toISOString() }),
    ...counts,
    requests_today: requestsToday,
    ...(latency && { latency_ms: { p50: latency.p50Ms, p95: latency.p95Ms } }),
  };
}
