/** Reads request bodies within limits of time and size. */
import { Writable } from 'node:stream';
import type { Request, Response } from 'hyper-express';
import { VerbatimError } from '../errors.ts';

/** An unread body up to this size is collected before it is dropped: cheaper than a stream. */
const BUFFERED_BYTES_MAX = 64 * 1024;

export interface BodyLimits {
  bodyBytesMax: number;
  bodyTimeoutMs: number;
}

/**
 * Reads the whole body, also what has arrived before. Rejects with `body_too_large` or `body_timeout`.
 */
export function readBody(
  request: Request,
  response: Response,
  { bodyBytesMax, bodyTimeoutMs }: BodyLimits,
): Promise<Buffer> {
  const tooLarge = (): VerbatimError =>
    new VerbatimError('body_too_large', `request body must be at most ${bodyBytesMax} bytes`);
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > bodyBytesMax) return Promise.reject(tooLarge());
  const isChunked = request.headers['transfer-encoding'] === 'chunked';
  // The framework's stream never ends if the request has no body.
  if (!(announced > 0) && !isChunked) return Promise.resolve(Buffer.alloc(0));
  const whole = announced > 0 ? request.buffer() : collect(request, bodyBytesMax, tooLarge);
  return inTime(whole, { response, timeoutMs: bodyTimeoutMs });
}

/**
 * Resolves with what `work` resolves with. Rejects with `body_timeout` after the time, or when the
 * client is gone.
 */
function inTime<Result>(
  work: Promise<Result>,
  { response, timeoutMs }: { response: Response; timeoutMs: number },
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const fail = (): void => reject(new VerbatimError('body_timeout'));
    // Most bodies come with their head. Only the others need a timer, and a listener, for which the
    // framework creates a stream: a tenth of the time of a rejection.
    const watching = setImmediate(() => {
      if (response.completed) {
        fail();
        return;
      }
      timer = setTimeout(fail, timeoutMs);
      response.on('abort', fail);
    });
    work.then(resolve, reject).finally(() => {
      clearImmediate(watching);
      clearTimeout(timer);
    });
  });
}

/**
 * Reads a body of unknown length through a stream, to stop at the limit. A single buffer is faster
 * but needs the length.
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
    // `on('data')` would not start the flow: the framework overrides `on`.
    request.pipe(sink);
  });
}

/**
 * Discards the rest of an unread body. A client that is still sending would take an early response
 * for a broken connection. Resolves to whether the body ended in time.
 */
export function discardBody(
  request: Request,
  response: Response,
  timeoutMs: number,
): Promise<boolean> {
  if (request.received) return Promise.resolve(true);
  const announced = Number(request.headers['content-length'] ?? 0);
  const isSmall = announced > 0 && announced <= BUFFERED_BYTES_MAX;
  const ended: Promise<unknown> = isSmall ? request.buffer() : drain(request);
  return inTime(ended, { response, timeoutMs }).then(
    () => true,
    () => false,
  );
}

/** Reads a body to its end through a stream, and keeps nothing of it. */
function drain(request: Request): Promise<void> {
  return new Promise((resolve) => {
    request.once('received', () => resolve());
    request.pipe(
      new Writable({
        write(_chunk, _encoding, next) {
          next();
        },
      }),
    );
  });
}
