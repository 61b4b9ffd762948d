/** GET /health: the only endpoint without a key. */
import type { LaneState } from '../lanes/lane.ts';
import { jsonAnswer } from './answers.ts';
import type { ServiceParts } from './parts.ts';
import type { HttpAnswer } from './server.ts';

export function healthEndpoint(parts: ServiceParts): HttpAnswer {
  const status = parts.state();
  if (status !== 'ok') return jsonAnswer(503, { status }, { 'Retry-After': '1' });
  return jsonAnswer(200, {
    status,
    version: parts.version,
    ...parts.totals(),
    model: parts.modelName,
    uptime_s: Math.floor(process.uptime()),
    ...(parts.lanes && { lanes: parts.lanes.states().map(describeLane) }),
  });
}

/** A lane as it is known to be: nothing is asked. */
function describeLane({ lane, provider, state, retryAt }: LaneState) {
  const retry_at = retryAt === undefined ? {} : { retry_at: new Date(retryAt).toISOString() };
  return { lane, provider, state, ...retry_at };
}
