/**
 * POST /mcp: the Model Context Protocol over Streamable HTTP, without sessions. Clients of the
 * specification of 2026-07-28 and of those of 2025 are served; each request has its own server.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { messageOf } from '../errors.ts';
import type { HttpRequest, HttpResponse } from '../http/messages.ts';
import { jsonResponse } from '../http/responses.ts';
import type { RespondToMcp, ServiceDeps } from '../http/service-deps.ts';
import type { FindPaper } from '../search/papers/find-paper.ts';
import type { Backend } from './backend.ts';
import { createMcpServer } from './create-server.ts';
import { createPaidBackend, type PaidBackend } from './paid-backend.ts';

/** The library wants a whole address, and looks at nothing but the headers and the body. */
const ADDRESS = 'http://localhost/mcp';
/** The headers that the specification gives a meaning. */
const HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];
/** Error codes of JSON-RPC 2.0, section 5.1. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** Returns the function that responds to requests whose key was checked. */
export function createMcpEndpoint(deps: ServiceDeps, findPaper: FindPaper): RespondToMcp {
  const modern = createMcpHandler(({ authInfo }) => createMcpServer(backendIn(authInfo)), {
    legacy: 'reject',
    // There is nothing to subscribe to, and a stream would occupy a connection.
    maxSubscriptions: 0,
    onerror: (error) => deps.log.debug('mcp_refused', { reason: messageOf(error) }),
  });
  return async (call) => {
    const message = parseMessage(call.body);
    if ('status' in message) return message;
    const backend = createPaidBackend(deps, findPaper, call);
    let response: HttpResponse | undefined;
    try {
      const served = await serve(message.parsed, call.request, backend, modern.fetch);
      response = await toHttpResponse(served, backend);
      return response;
    } finally {
      if (response === undefined) backend.resolve(false);
    }
  };
}

/** Parses the body, or returns why it is no message. */
function parseMessage(body: Buffer): { parsed: unknown } | HttpResponse {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return rejection(PARSE_ERROR, 'the body is not JSON in UTF-8');
  }
  // One request of the rate is one message: a batch would get around the limits of the key.
  if (Array.isArray(parsed)) {
    return rejection(INVALID_REQUEST, 'batches are not accepted: send one message in each request');
  }
  return { parsed };
}

function rejection(code: number, message: string): HttpResponse {
  return jsonResponse(400, { jsonrpc: '2.0', id: null, error: { code, message } });
}

async function serve(
  parsedBody: unknown,
  { header }: HttpRequest,
  backend: Backend,
  serveModern: ReturnType<typeof createMcpHandler>['fetch'],
): Promise<Response> {
  const headers = new Headers();
  for (const name of HEADERS) if (header(name) !== '') headers.set(name, header(name));
  const request = new Request(ADDRESS, { method: 'POST', headers });
  if (!(await isLegacyRequest(request, parsedBody))) {
    const authInfo = { token: '', clientId: '', scopes: [], extra: { backend } };
    return serveModern(request, { parsedBody, authInfo });
  }
  const server = createMcpServer(backend);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}

function backendIn(authInfo: { extra?: Record<string, unknown> } | undefined): Backend {
  return authInfo?.extra?.['backend'] as Backend;
}

async function toHttpResponse(served: Response, backend: PaidBackend): Promise<HttpResponse> {
  const body = await served.text();
  const type = served.headers.get('content-type');
  const isPaid = served.status === 200 && isSuccess(body);
  return {
    status: served.status,
    headers: { ...(type === null ? {} : { 'Content-Type': type }), ...backend.headers },
    body,
    mayCompress: true,
    onSent: (left) => backend.resolve(left && isPaid),
  };
}

/** Whether the message is a result, and not that of a failed tool. Nobody pays for anything else. */
function isSuccess(body: string): boolean {
  try {
    const { result } = JSON.parse(body) as { result?: { isError?: boolean } };
    return result !== undefined && result.isError !== true;
  } catch {
    return false;
  }
}
