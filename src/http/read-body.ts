/** Reads request bodies within limits of time and size. */
import { Writable } from 'node:stream';
import type { Request, Response } from 'hyper-express';
import { VerbatimError } from '../errors.ts';

export interface BodyLimits {
  bodyBytesMax: number;
  bodyTimeoutMs: number;
}

/** Reads the whole body. Rejects with `body_too_large` or `body_timeout`. */
export function readBody(
  request: Request,
  response: Response,
  { bodyBytesMax, bodyTimeoutMs }: BodyLimits,
): Promise<Buffer> {
  const tooLarge = (): VerbatimError =>
    new VerbatimError('body_too_large', `request body must be at most ${bodyBytesMax} bytes`);
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > bodyBytesMax) return Promise.reject(tooLarge());
  // The framework's stream never ends if the request has no body.
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
  return new Promise((resolve) => {
    const finish = (isComplete: boolean): void => {
      clearTimeout(timer);
      resolve(isComplete);
    };
    const timer = setTimeout(() => finish(false), timeoutMs);
    request.once('received', () => finish(true));
    response.on('abort', () => finish(false));
    request.pipe(
      new Writable({
        write(_chunk, _encoding, next) {
          next();
        },
      }),
    );
  });
}
