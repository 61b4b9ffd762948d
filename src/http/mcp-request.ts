/** POST /mcp: reads the request, whose answer `src/mcp/` gives. */
import type { HttpResponse } from './messages.ts';
import { readJsonBody } from './read-json-body.ts';
import type { McpCall, ServiceDeps } from './service-deps.ts';

/** Throws the expected errors of bodies. */
export async function mcpRequest(
  deps: ServiceDeps,
  call: Omit<McpCall, 'body'>,
): Promise<HttpResponse> {
  const body = await readJsonBody(call.request, deps.settings);
  return deps.respondToMcp({ ...call, body });
}
