/**
 * Listens, with hyper-express. This file, `read-body.ts` and `send-response.ts` are the only ones
 * that know the framework: they hide its request and response, which die with the connection, behind
 * values.
 */
import { type Request, type Response, Server } from 'hyper-express';
import { messageOf, VerbatimError } from '../errors.ts';
import { readHead } from './framing.ts';
import { guardCallbacks } from './guard-callbacks.ts';
import { assertCanListen } from './listening-address.ts';
import type { HttpRequest, HttpResponse } from './messages.ts';
import { readBody } from './read-body.ts';
import { sendResponse } from './send-response.ts';

export interface HttpServer {
  port: number;
  /** Takes no new connections; those that there are go on. */
  stopListening(): void;
  /** Ends all connections. */
  close(): void;
}

export interface ServerOptions {
  host: string;
  port: number;
  /** How long an outgoing waits for the rest of a body that nobody reads. */
  bodyTimeoutMs: number;
  /** Must not throw: whatever goes wrong is an outgoing. */
  handle: (request: HttpRequest) => Promise<HttpResponse>;
  /** What the framework or its library threw; the connection it was about has been closed. */
  onFailure: (error: unknown) => void;
}

/** Listens. Throws `usage` where it cannot, and says why. */
export async function startServer(options: ServerOptions): Promise<HttpServer> {
  const { host, port } = options;
  await assertCanListen({ host, port });
  const server = new Server({
    // We decide on shutdown, and on the size of bodies: the framework's own 413 comes before the key
    // is looked at and has no request id.
    auto_close: false,
    fast_abort: false,
    max_body_length: Number.MAX_SAFE_INTEGER,
  });
  guardCallbacks(server.uws_instance, options.onFailure);
  server.any('/*', async (request, response) => {
    try {
      const outgoing = await options.handle(toHttpRequest(request, response));
      await sendResponse(request, response, outgoing, options);
    } catch (error) {
      options.onFailure(error);
      response.close();
    }
  });
  // Our handler throws nothing, so what gets here is a defect of the framework.
  server.set_error_handler((_request, response, error) => {
    options.onFailure(error);
    response.close();
  });
  try {
    await server.listen(port, host);
  } catch (error) {
    throw new VerbatimError('usage', `cannot listen on ${host}:${port}: ${messageOf(error)}`);
  }
  return {
    port: server.port,
    stopListening: () => server.close(),
    close: () => server.uws_instance.close(),
  };
}

function toHttpRequest(request: Request, response: Response): HttpRequest {
  const { method, path } = request;
  const lines: [string, string][] = [];
  // The framework's own headers keep the last line of several with one name.
  request.raw.forEach((name, value) => {
    lines.push([name, value]);
  });
  const { headers, fault } = readHead(lines);
  return {
    method,
    path,
    fault,
    // Not a string where there is none, whatever its type says.
    query: request.path_query ?? '',
    header: (name) => headers[name] ?? '',
    // Its `ip` throws where the connection is gone.
    remoteAddress: () => (response.completed ? '' : request.ip),
    readBody: (limits) => readBody(request, response, limits),
  };
}
