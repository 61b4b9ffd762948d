/** Hands a response to the network, whole or in pieces, and reports whether it was sent. */
import { Readable } from 'node:stream';
import type { Request, Response } from 'hyper-express';
import { VerbatimError } from '../errors.ts';
import type { HttpResponse } from './messages.ts';
import { discardBody } from './read-body.ts';
import { errorResponse } from './responses.ts';

/**
 * Every socket accepts this much at once. Longer bodies are watched until the network has taken
 * them.
 */
const UNWATCHED_BYTES_MAX = 8 * 1024;

/** A response with this status means that waiting for the body has already failed. */
const BODY_TIMEOUT_STATUS = new VerbatimError('body_timeout').status;

export interface SendOptions {
  /** How long a response waits for the rest of an unread body. */
  bodyTimeoutMs: number;
}

/** Sends a response and calls its `onSent` exactly once. Rejects if the framework fails. */
export async function sendResponse(
  request: Request,
  response: Response,
  outgoing: HttpResponse,
  { bodyTimeoutMs }: SendOptions,
): Promise<void> {
  const onSent = firstOutcome(outgoing);
  if (response.completed) {
    // The client is gone, and the framework must not be asked for its body.
    onSent(false);
    return;
  }
  const isHopeless = outgoing.close === true || outgoing.status === BODY_TIMEOUT_STATUS;
  try {
    const isComplete =
      request.received || (!isHopeless && (await discardBody(request, response, bodyTimeoutMs)));
    if (response.completed) {
      onSent(false);
    } else if (isComplete) {
      sendNow(request, response, { ...outgoing, onSent });
    } else {
      // The framework sends nothing before the body is complete, and this one never will be. What
      // still comes of it must not reach the framework, which would pause a request that is over.
      request.received = true;
      response.raw.onData(() => {});
      sendNow(request, response, { ...withoutStream({ ...outgoing, onSent }), close: true });
    }
  } catch (error) {
    onSent(false);
    throw error;
  }
}

/** Reports only the first outcome to the response. */
function firstOutcome({ onSent }: HttpResponse): (left: boolean) => void {
  let isKnown = false;
  return (left) => {
    if (!isKnown) onSent?.(left);
    isKnown = true;
  };
}

/** A response whose outcome is reported. */
type SentResponse = HttpResponse & { onSent: (left: boolean) => void };

/**
 * A client that does not finish its request gets no stream, since a stream must be read to its end.
 */
function withoutStream(outgoing: SentResponse): SentResponse {
  if (!isStream(outgoing.body)) return outgoing;
  outgoing.onSent(false);
  return { ...errorResponse(new VerbatimError('body_timeout')), onSent: outgoing.onSent };
}

function sendNow(request: Request, response: Response, outgoing: SentResponse): void {
  const { status, headers, body, close, onSent } = outgoing;
  response.status(status);
  for (const [name, value] of Object.entries(headers)) response.header(name, value);
  if (isStream(body)) {
    if (request.method === 'HEAD') sendHeadOfStream(response, outgoing);
    else streamPieces(response, closingOnFailure(response, body, onSent), { onSent });
    return;
  }
  const whole = typeof body === 'string' ? Buffer.from(body) : body;
  // Only the framework's `send` can send the length of a HEAD response.
  const isUnwatched =
    request.method === 'HEAD' || whole.length <= UNWATCHED_BYTES_MAX || close === true;
  if (isUnwatched) {
    response.send(whole, close);
    onSent(true);
  } else {
    streamPieces(response, [whole], { length: whole.length, onSent });
  }
}

function isStream(body: HttpResponse['body']): body is AsyncIterable<string | Uint8Array> {
  return typeof body !== 'string' && !Buffer.isBuffer(body);
}

/**
 * Sends the head of a response of unknown length. The framework's `send` would claim a length, so
 * this writes to the native response.
 */
function sendHeadOfStream(response: Response, { status, headers, onSent }: SentResponse): void {
  const { raw } = response;
  raw.cork(() => {
    raw.writeStatus(String(status));
    for (const [name, value] of Object.entries(headers)) {
      for (const one of [value].flat()) raw.writeHeader(name, one);
    }
    raw.endWithoutBody();
  });
  response.completed = true;
  onSent(true);
}

/** Sends pieces with backpressure: the source waits while the network is busy. */
function streamPieces(
  response: Response,
  pieces: Iterable<Buffer> | AsyncIterable<string | Uint8Array>,
  { length, onSent }: { length?: number; onSent: (left: boolean) => void },
): void {
  // The stream's promise never settles if the client disconnects first.
  response.on('abort', () => onSent(false));
  response.stream(Readable.from(pieces, { objectMode: false }), length).then(
    () => onSent(true),
    () => onSent(false),
  );
}

/**
 * Yields the pieces. If their source fails, it closes the connection, so that a partial body never
 * looks complete.
 */
async function* closingOnFailure(
  response: Response,
  pieces: AsyncIterable<string | Uint8Array>,
  onSent: (left: boolean) => void,
): AsyncGenerator<string | Uint8Array> {
  try {
    yield* pieces;
  } catch {
    onSent(false);
    response.close();
  }
}
