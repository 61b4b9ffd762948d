/** POST /mcp: reads the request, whose answer `src/mcp/` gives. */
import { assertNotCompressed } from './content-encoding.ts';
import type { HttpResponse } from './messages.ts';
import type { McpCall, ServiceDeps } from './service-deps.ts';
import { checkMediaType } from './validate.ts';

/** Throws the expected errors of bodies. */
export async function mcpRequest(
  deps: ServiceDeps,
  call: Omit<McpCall, 'body'>,
): Promise<HttpResponse> {
  checkMediaType(call.request.header('content-type'));
  assertNotCompressed(call.request.header('content-encoding'));
  // Read at once: a body that arrives while nobody reads it is lost.
  const body = await call.request.readBody(deps.settings);
  return deps.respondToMcp({ ...call, body });
}
