/**
 * GET /health, the only endpoint without a key. It reports readiness: 200 while searches are
 * served. GET /health?live reports liveness: any response means that a restart would not help, so
 * the status is always 200.
 */
import { type ErrorCode, VerbatimError } from '../errors.ts';
import type { LaneState } from '../fallback/lane/lane.ts';
import type { HttpRequest, HttpResponse } from './messages.ts';
import {
  errorHeaders,
  INDEX_VERSION_HEADER,
  jsonResponse,
  jsonTextResponse,
  type TextResponse,
} from './responses.ts';
import type { ServiceDeps } from './service-deps.ts';

export function healthEndpoint(
  deps: ServiceDeps,
  { request }: { request: Pick<HttpRequest, 'query'> },
): HttpResponse {
  const response = readiness(deps);
  const isLiveness = new URLSearchParams(request.query).has('live');
  if (isLiveness) return jsonTextResponse(200, response.body);
  if (response.status === 200) response.headers[INDEX_VERSION_HEADER] = deps.indexVersion();
  return response;
}

/** Returns 200 with totals while searches are served, otherwise 503 with the reason. */
export function readiness(deps: ServiceDeps): TextResponse {
  const status = deps.state();
  if (status !== 'ok') return unready('not_serving', { status });
  const reason = deps.store.fault();
  if (reason !== undefined) return unready('degraded', { status: 'degraded', reason });
  return jsonResponse(200, {
    status,
    version: deps.version,
    ...deps.totals(),
    model: deps.modelName,
    uptime_s: Math.floor(process.uptime()),
    ...(deps.lanes && { lanes: deps.lanes.states().map(describeLane) }),
  });
}

function unready(code: ErrorCode, body: { status: string; reason?: string }): TextResponse {
  const error = new VerbatimError(code);
  return jsonResponse(error.status, body, errorHeaders(error));
}

/** Describes a lane's provider from what is already known. Sends no request. */
function describeLane({
  lane,
  provider,
  state,
  retryAt,
  metrics: activity,
  requestsToday,
}: LaneState) {
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
