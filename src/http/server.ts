/**
 * The HTTP server, on hyper-express, with TLS or without. Only this file, `hand-on-connections.ts`,
 * `read-body.ts` and `send-response.ts` know the framework. They hide its request and response, which
 * die with the connection, behind plain values.
 */

import type { TemplatedApp } from 'uWebSockets.js';
import { type Request, type Response, Server } from 'hyper-express';
import { messageOf, VerbatimError } from '../errors.ts';
import type { Log } from '../log.ts';
import { readHead } from './framing.ts';
import { guardCallbacks } from './guard-callbacks.ts';
import { handOnConnections } from './hand-on-connections.ts';
import { assertCanListen, type SettingNames } from './listening-address.ts';
import type { HttpRequest, HttpResponse } from './messages.ts';
import { readBody } from './read-body.ts';
import { makeRoom } from './room-for-connections.ts';
import { sendResponse } from './send-response.ts';
import type { TlsFiles } from './tls-identity.ts';

export interface HttpServer {
  port: number;
  /**
   * Serves new connections with the certificate of these files; open ones keep theirs. Throws
   * `usage` if the TLS library refuses the files. Only for a server that was started with TLS.
   */
  useCertificate(files: TlsFiles): void;
  /** Accepts no new connections. Open ones continue. */
  stopListening(): void;
  /** Closes all connections. */
  close(): void;
}

export interface ServerOptions {
  host: string;
  port: number;
  /** Checked files: see tls-identity.ts. Absent: no TLS. */
  tls?: TlsFiles | undefined;
  /** For messages; absent: `--host` and `--port`. */
  settingNames?: SettingNames;
  /** How long a response waits for the rest of an unread body. */
  bodyTimeoutMs: number;
  /** Must not throw: every failure is a response. */
  handle: (request: HttpRequest) => Promise<HttpResponse>;
  /**
   * Receives what the framework or its library threw. The affected connection is already closed.
   */
  onFailure: (error: unknown) => void;
  /** Learns once that connections were closed to make room. Absent: none is. */
  log?: Pick<Log, 'warn'>;
}

/** What the native library offers and its types leave out. */
type NativeApp = TemplatedApp & {
  setIdleTimeout(seconds: number): void;
  listen(host: string, port: number, ...rest: unknown[]): TemplatedApp;
};

/** Refuses a port that another process has, which could share it otherwise. */
const LIBUS_LISTEN_EXCLUSIVE_PORT = 1;

/** Starts listening. Throws `usage` with the reason if that fails. */
export async function startServer(options: ServerOptions): Promise<HttpServer> {
  const { host, port, tls, settingNames = { host: '--host', port: '--port' } } = options;
  const watch = options.log && makeRoom(options.log);
  const listener = createApp(options, tls, watch);
  const connections = tls === undefined ? undefined : handOnConnections(listener);
  const useCertificate = (files: TlsFiles): void =>
    connections?.handTo(createApp(options, files, watch));
  if (tls !== undefined) useCertificate(tls);
  try {
    await listener.listen(port, host);
  } catch (error) {
    await assertCanListen({ host, port }, settingNames);
    throw new VerbatimError('usage', `cannot listen on ${host}:${port}: ${messageOf(error)}`);
  }
  return {
    port: listener.port,
    useCertificate,
    stopListening: () => listener.close(),
    close() {
      connections?.close();
      listener.uws_instance.close();
    },
  };
}

/** Creates an app with its route. Throws `usage` if the TLS library refuses the files. */
function createApp(
  options: ServerOptions,
  tls: TlsFiles | undefined,
  watch: ((app: TemplatedApp) => void) | undefined,
): Server {
  const files =
    tls === undefined
      ? undefined
      : { cert_file_name: tls.certificateFile, key_file_name: tls.keyFile };
  let server: Server;
  try {
    server = new Server({
      // We handle shutdown and body size. The framework's own 413 would come before the key check
      // and without a request id.
      auto_close: false,
      fast_abort: false,
      max_body_length: Number.MAX_SAFE_INTEGER,
      ...files,
    });
  } catch (error) {
    if (tls === undefined) throw error;
    const { certificateFile, keyFile } = tls;
    throw new VerbatimError(
      'usage',
      `the TLS library refuses ${certificateFile} with ${keyFile}; use an RSA or an elliptic key`,
      { cause: error },
    );
  }
  const app = server.uws_instance as NativeApp;
  const { listen } = app;
  app.listen = (...[host, port, onListening]: unknown[]) =>
    listen.call(app, host as string, port as number, LIBUS_LISTEN_EXCLUSIVE_PORT, onListening);
  // After the answer to a body that stalls. The library's own value is 30.
  app.setIdleTimeout(Math.min(30, Math.ceil(options.bodyTimeoutMs / 1000) + 5));
  watch?.(app);
  guardCallbacks(app, options.onFailure);
  server.any('/*', async (request, response) => {
    try {
      const outgoing = await options.handle(toHttpRequest(request, response));
      await sendResponse(request, response, outgoing, options);
    } catch (error) {
      options.onFailure(error);
      response.close();
    }
  });
  // Our handler never throws, so this is a defect of the framework.
  server.set_error_handler((_request, response, error) => {
    options.onFailure(error);
    response.close();
  });
  return server;
}

function toHttpRequest(request: Request, response: Response): HttpRequest {
  const { method, path } = request;
  const lines: [string, string][] = [];
  // The framework's `headers` keep only the last of several lines with one name.
  request.raw.forEach((name, value) => {
    lines.push([name, value]);
  });
  const { headers, fault } = readHead(lines);
  return {
    method,
    path,
    fault,
    // `undefined` without a query, whatever its type says.
    query: request.path_query ?? '',
    header: (name) => headers[name] ?? '',
    // `ip` throws if the connection is gone.
    remoteAddress: () => (response.completed ? '' : request.ip),
    readBody: (limits) => readBody(request, response, limits),
  };
}
