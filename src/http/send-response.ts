/** Hands an outgoing to the network, whole or piece by piece, and tells whether it left. */
import { Readable } from 'node:stream';
import type { Request, Response } from 'hyper-express';
import { VerbatimError } from '../errors.ts';
import type { HttpResponse } from './messages.ts';
import { discardBody } from './read-body.ts';
import { errorResponse } from './responses.ts';

/** What any socket takes at once; longer bodies are watched until the network has them all. */
const AT_ONCE_BYTES_MAX = 8 * 1024;

/** Whoever waited for the body has given up on it. */
const BODY_TIMEOUT_STATUS = new VerbatimError('body_timeout').status;

export interface SendOptions {
  /** How long an outgoing waits for the rest of a body that nobody reads. */
  bodyTimeoutMs: number;
}

/**
 * Sends an outgoing. `onSent` of the outgoing is called once, whatever happens. Rejects where the
 * framework fails.
 */
export async function sendResponse(
  request: Request,
  response: Response,
  outgoing: HttpResponse,
  { bodyTimeoutMs }: SendOptions,
): Promise<void> {
  const onSent = firstOutcome(outgoing);
  const isHopeless = outgoing.close === true || outgoing.status === BODY_TIMEOUT_STATUS;
  try {
    const isThrough =
      request.received || (!isHopeless && (await discardBody(request, response, bodyTimeoutMs)));
    if (response.completed) {
      onSent(false);
    } else if (isThrough) {
      sendNow(request, response, { ...outgoing, onSent });
    } else {
      // The framework sends nothing before the body is through. This one never will be.
      request.received = true;
      sendNow(request, response, { ...withoutStream({ ...outgoing, onSent }), close: true });
    }
  } catch (error) {
    onSent(false);
    throw error;
  }
}

/** Tells the outgoing the first of what is said to have become of it. */
function firstOutcome({ onSent }: HttpResponse): (left: boolean) => void {
  let isKnown = false;
  return (left) => {
    if (!isKnown) onSent?.(left);
    isKnown = true;
  };
}

/** An outgoing whose outcome is told. */
type SentResponse = HttpResponse & { onSent: (left: boolean) => void };

/** A client that does not finish its request gets no stream: it would have to be read to its end. */
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
    else streamPieces(response, breakingOff(response, body, onSent), { onSent });
    return;
  }
  const whole = typeof body === 'string' ? Buffer.from(body) : body;
  // A HEAD is answered with the length alone, which only the framework's `send` knows of.
  const isAtOnce = request.method === 'HEAD' || whole.length <= AT_ONCE_BYTES_MAX || close === true;
  if (isAtOnce) {
    response.send(whole, close);
    onSent(true);
  } else {
    streamPieces(response, [whole], { length: whole.length, onSent });
  }
}

function isStream(body: HttpResponse['body']): body is AsyncIterable<string> {
  return typeof body !== 'string' && !Buffer.isBuffer(body);
}

/**
 * The head of an outgoing whose length nobody knows. The framework's `send` would claim a length; so
 * the native response is told without one.
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

/** Sends pieces as fast as the network takes them: what it does not take waits where it comes from. */
function streamPieces(
  response: Response,
  pieces: Iterable<Buffer> | AsyncIterable<string>,
  { length, onSent }: { length?: number; onSent: (left: boolean) => void },
): void {
  // The stream's promise never settles where the client goes first.
  response.on('abort', () => onSent(false));
  response.stream(Readable.from(pieces, { objectMode: false }), length).then(
    () => onSent(true),
    () => onSent(false),
  );
}

/** The pieces. Where their source fails the connection breaks off: a part is no whole. */
async function* breakingOff(
  response: Response,
  pieces: AsyncIterable<string>,
  onSent: (left: boolean) => void,
): AsyncGenerator<string> {
  try {
    yield* pieces;
  } catch {
    onSent(false);
    response.close();
  }
}
