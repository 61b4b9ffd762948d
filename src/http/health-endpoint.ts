/**
 * GET /health, the only endpoint without a key. It reports readiness: 200 while searches are
 * served. GET /health?live reports liveness: any response means that a restart would not help, so
 * the status is always 200.
 */

import type { KnownDamage } from '../database/damage/damage-register.ts';
import { type ErrorCode, VerbatimError } from '../errors.ts';
import type { IndexTotals } from '../index/index-facts.ts';
import type { LaneState } from '../lanes/lane/lane.ts';
import type { HttpRequest, HttpResponse } from './messages.ts';
import {
  errorHeaders,
  INDEX_VERSION_HEADER,
  jsonResponse,
  jsonTextResponse,
  type TextResponse,
} from './responses.ts';
import type { ServiceDeps } from './service-deps.ts';

export async function healthEndpoint(
  deps: ServiceDeps,
  { request }: { request: Pick<HttpRequest, 'query'> },
): Promise<HttpResponse> {
  const response = await readiness(deps);
  const isLiveness = new URLSearchParams(request.query).has('live');
  if (isLiveness) return jsonTextResponse(200, response.body);
  if (response.status === 200) response.headers[INDEX_VERSION_HEADER] = await deps.indexVersion();
  return response;
}

/** Returns 200 with totals, and with the parts that are damaged, while searches are served, otherwise 503 with the reason. */
export async function readiness(deps: ServiceDeps): Promise<TextResponse> {
  const status = deps.state();
  if (status !== 'ok') return unready('not_serving', { status });
  const fault = deps.damage.blockingReason() ?? deps.store.fault();
  if (fault !== undefined) return unready('degraded', { status: 'degraded', reason: fault });
  const totals = await readTotals(deps);
  if ('reason' in totals) return unready('degraded', { status: 'degraded', ...totals });
  const damaged = deps.damage.all();
  return jsonResponse(200, {
    status,
    version: deps.version,
    ...totals,
    index_engine: deps.indexEngine,
    model: await deps.modelName(),
    uptime_s: Math.floor(process.uptime()),
    ...(damaged.length > 0 && { damaged: damaged.map(describeDamage) }),
    ...(deps.lanes && { lanes: deps.lanes.states().map(describeLane) }),
  });
}

/** Returns why the index cannot be read, if it is damaged or on a server that is down. */
async function readTotals({
  totals,
  damage,
}: ServiceDeps): Promise<IndexTotals | { reason: string }> {
  try {
    return await totals();
  } catch (error) {
    if (!(error instanceof VerbatimError)) throw error;
    return { reason: damage.blockingReason() ?? error.message };
  }
}

function unready(code: ErrorCode, body: { status: string; reason?: string }): TextResponse {
  const error = new VerbatimError(code);
  return jsonResponse(error.status, body, errorHeaders(error));
}

function describeDamage({ part, reason, noticedAt }: KnownDamage) {
  return { part, reason, since: new Date(noticedAt).toISOString() };
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
