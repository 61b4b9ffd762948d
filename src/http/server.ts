/**
 * The only file that knows the web framework. It hides hyper-express's request and response,
 * which die with the connection, behind values.
 */
import { Readable, Writable } from 'node:stream';
import { type Request, type Response, Server } from 'hyper-express';
import { messageOf, VerbatimError } from '../errors.ts';

export interface HttpRequest {
  method: string;
  path: string;
  /** What follows the question mark, as it was sent; '' where nothing does. */
  query: string;
  /** A header by its name in lower case, '' where it is absent. */
  header(name: string): string;
  /** The address of the other end of the connection, '' where that has gone. */
  remoteAddress(): string;
  /** The body. Throws `body_too_large` or `body_timeout`. */
  readBody(limits: BodyLimits): Promise<Buffer>;
}

export interface BodyLimits {
  bodyBytesMax: number;
  bodyTimeoutMs: number;
}

export interface HttpAnswer {
  status: number;
  /** A header with several values is sent once for each. */
  headers: Record<string, string | string[]>;
  /** Text, or its pieces as they come: those are sent chunked, as fast as the network takes them. */
  body: string | AsyncIterable<string>;
  /** Closes the connection after the answer. */
  close?: boolean;
  /** Called once: with true when the answer was handed to the network, false when nobody was left. */
  onSent?: (left: boolean) => void;
}

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
  /** How long an answer waits for the rest of a body that nobody reads. */
  bodyTimeoutMs: number;
  /** Must not throw: whatever goes wrong is an answer. */
  handle: (request: HttpRequest) => Promise<HttpAnswer>;
}

/** Its answer does not wait for the body: that is what it is about. */
const BODY_TIMEOUT_STATUS = new VerbatimError('body_timeout').status;

/** Listens. Throws `usage` where the address is taken. */
export async function startServer(options: ServerOptions): Promise<HttpServer> {
  const server = new Server({
    // We decide on shutdown, and on the size of bodies: the framework's own 413 comes before the key
    // is looked at and has no request id.
    auto_close: false,
    fast_abort: false,
    max_body_length: Number.MAX_SAFE_INTEGER,
  });
  server.any('/*', async (request, response) => {
    const answer = await options.handle(toHttpRequest(request, response));
    send(request, response, answer, options.bodyTimeoutMs);
  });
  // What the framework itself refuses, a malformed request target for one.
  server.set_error_handler((_request, response) => {
    response.status(400).send();
  });
  try {
    await server.listen(options.port, options.host);
  } catch (error) {
    throw new VerbatimError(
      'usage',
      `cannot listen on ${options.host}:${options.port}, the address may be in use: ${messageOf(error)}`,
    );
  }
  return {
    port: server.port,
    stopListening: () => server.close(),
    close: () => server.uws_instance.close(),
  };
}

function toHttpRequest(request: Request, response: Response): HttpRequest {
  const { method, path, headers } = request;
  return {
    ...{ method, path },
    // Not a string where there is none, whatever its type says.
    query: request.path_query ?? '',
    header: (name) => headers[name] ?? '',
    // Its `ip` throws where the connection is gone.
    remoteAddress: () => (response.completed ? '' : request.ip),
    readBody: (limits) => readBody(request, response, limits),
  };
}

function readBody(
  request: Request,
  response: Response,
  { bodyBytesMax, bodyTimeoutMs }: BodyLimits,
): Promise<Buffer> {
  const tooLarge = (): VerbatimError =>
    new VerbatimError('body_too_large', `request body must be at most ${bodyBytesMax} bytes`);
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > bodyBytesMax) return Promise.reject(tooLarge());
  // The framework's stream never ends where no body was announced.
  if (request.received) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      clearTimeout(timer);
      settle();
    };
    const timer = setTimeout(
      () => finish(() => reject(new VerbatimError('body_timeout'))),
      bodyTimeoutMs,
    );
    const whole = announced > 0 ? request.buffer() : collect(request, bodyBytesMax, tooLarge);
    whole.then(
      (body) => finish(() => resolve(body)),
      (error: Error) => finish(() => reject(error)),
    );
    response.on('abort', () => finish(() => reject(new VerbatimError('body_timeout'))));
  });
}

/**
 * The body of a request that does not say how long it is. Through a stream, whose parts cost more
 * than those of one buffer, as it must not become longer than it may be.
 */
function collect(request: Request, bytesMax: number, tooLarge: () => Error): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const sink = new Writable({
      write(chunk: Buffer, _encoding, next) {
        bytes += chunk.length;
        if (bytes > bytesMax) reject(tooLarge());
        else chunks.push(chunk);
        next();
      },
      final(next) {
        resolve(Buffer.concat(chunks));
        next();
      },
    });
    // Not `on('data')`: the framework's own `on` does not set the stream flowing.
    request.pipe(sink);
  });
}

/** What any socket takes at once; longer bodies are watched until the network has them all. */
const AT_ONCE_BYTES_MAX = 8 * 1024;

function send(
  request: Request,
  response: Response,
  answer: HttpAnswer,
  bodyTimeoutMs: number,
): void {
  if (response.completed) {
    answer.onSent?.(false);
    return;
  }
  const body = typeof answer.body === 'string' ? Buffer.from(answer.body) : undefined;
  if (!request.received) {
    // The framework sends once the body is through. One that never ends must not hold us: the
    // answer leaves without it, and so does the connection.
    const waitMs = answer.status === BODY_TIMEOUT_STATUS ? 0 : bodyTimeoutMs;
    setTimeout(() => {
      request.received = true;
      response.atomic(() => response.send(body, true));
    }, waitMs).unref();
  }
  response.status(answer.status);
  for (const [name, value] of Object.entries(answer.headers)) response.header(name, value);
  // A HEAD is answered with the length alone, which only the framework's `send` knows of.
  const isAtOnce =
    request.method === 'HEAD' ||
    (body !== undefined && body.length <= AT_ONCE_BYTES_MAX) ||
    answer.close === true ||
    !request.received;
  if (isAtOnce) {
    response.send(body, answer.close);
    answer.onSent?.(true);
  } else {
    streamBody(response, answer, body);
  }
}

/** Sends a body piece by piece: what the network does not take at once waits where it comes from. */
function streamBody(response: Response, answer: HttpAnswer, whole: Buffer | undefined): void {
  let isOver = false;
  const finish = (left: boolean): void => {
    if (!isOver) answer.onSent?.(left);
    isOver = true;
  };
  // The stream's promise never settles where the client goes first.
  response.on('abort', () => finish(false));
  const { body } = answer;
  const pieces = typeof body === 'string' ? [whole] : breakingOff(response, body, finish);
  response.stream(Readable.from(pieces, { objectMode: false }), whole?.length).then(
    () => finish(true),
    () => finish(false),
  );
}

/** The pieces. Where their source fails the connection breaks off: a part is no whole. */
async function* breakingOff(
  response: Response,
  pieces: AsyncIterable<string>,
  finish: (left: boolean) => void,
): AsyncGenerator<string> {
  try {
    yield* pieces;
  } catch {
    finish(false);
    response.close();
  }
}
