/** Reads the body of a request within a time and a size. */
import { Writable } from 'node:stream';
import type { Request, Response } from 'hyper-express';
import { VerbatimError } from '../errors.ts';

export interface BodyLimits {
  bodyBytesMax: number;
  bodyTimeoutMs: number;
}

/** The whole body. Rejects with `body_too_large` or `body_timeout`. */
export function readBody(
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

/**
 * Throws away what is left of a body that nobody wants: a client that is still sending would take
 * an early answer for a broken connection. Resolves to whether the end came within the time.
 */
export function discardBody(
  request: Request,
  response: Response,
  timeoutMs: number,
): Promise<boolean> {
  if (request.received) return Promise.resolve(true);
  return new Promise((resolve) => {
    const finish = (isThrough: boolean): void => {
      clearTimeout(timer);
      resolve(isThrough);
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
