/** POST /mcp: reads the request, whose answer `src/mcp/` gives. */
import { assertNoIdempotencyKey } from './answer-once.ts';
import type { HttpResponse } from './messages.ts';
import { readJsonBody } from './read-json-body.ts';
import type { McpCall, ServiceDeps } from './service-deps.ts';

/** Throws the expected errors of bodies. */
export async function mcpRequest(
  deps: ServiceDeps,
  call: Omit<McpCall, 'body'>,
): Promise<HttpResponse> {
  assertNoIdempotencyKey(call.request);
  const body = await readJsonBody(call, deps.settings);
  return deps.respondToMcp({ ...call, body });
}
