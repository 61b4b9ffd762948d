/**
 * The HTTP client of all lanes and sources, and the only file that imports undici. It limits the bytes
 * and the time of a response. It connects to public addresses and to the origins that the operator
 * named. It does not follow redirects, because each redirect must pass the rate limiter.
 */
import './own-fetch.ts';
import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher, request as send } from 'undici';
import { LaneFailure, LaneSkip } from '../lane/lane-errors.ts';
import type { HttpRequest, HttpResponse } from '../lane/provider.ts';
import { isPublicAddress } from './public-address.ts';

export interface HttpClient {
  /**
   * Sends one request and returns its response, whatever the status. Throws a LaneFailure:
   * `timeout`, `unreachable`, `too_large`, or `bad_answer` for a body that is not UTF-8. Throws a
   * LaneSkip when the signal cancels the request.
   */
  exchange(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse>;
  /**
   * Sends one request and returns its response as it comes, with any number of bytes. Its time limit
   * counts anew with each piece. The caller reads the body to its end or destroys it. Rejects, and the
   * body throws, as `exchange` does.
   */
  stream(request: HttpRequest, signal: AbortSignal): Promise<StreamedResponse>;
  close(): Promise<void>;
}

export interface StreamedResponse extends Omit<HttpResponse, 'body'> {
  body: AsyncIterable<Buffer>;
}

export interface HttpClientOptions {
  userAgent: string;
  timeoutMs: number;
  responseBytesMax: number;
  /** Origins that may have any address, such as a search engine on this machine. */
  trustedOrigins: ReadonlySet<string>;
}

const ACCEPTED = 'application/json, application/atom+xml, */*;q=0.1';
const HEADER_BYTES_MAX = 16 * 1024;
/** Shorter than the idle timeout of servers, so that no request meets a closing connection. */
const KEEP_ALIVE_MS = 4_000;

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { userAgent, timeoutMs, responseBytesMax, trustedOrigins } = options;
  const agentOptions: Agent.Options = {
    pipelining: 1,
    maxHeaderSize: HEADER_BYTES_MAX,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  };
  const toTrusted = new Agent({ ...agentOptions, connect: { timeout: timeoutMs } });
  const toPublic = new Agent({
    ...agentOptions,
    connect: buildConnector({ timeout: timeoutMs, lookup: lookUpPublic } as never),
  });

  const open = async (
    { url, body, headers = {}, secretHeaders = {} }: HttpRequest,
    signal: AbortSignal,
    timeout?: AbortSignal,
  ): Promise<StreamedResponse> => {
    const isTrusted = trustedOrigins.has(url.origin);
    // A canceled request is not a failure of the provider.
    const failure = (error: unknown): Error =>
      signal.aborted ? new LaneSkip('closed') : failureOf(error, timeout?.aborted ?? false);
    try {
      if (!isTrusted) assertPublicHost(url);
      const response = await send(url, {
        dispatcher: isTrusted ? toTrusted : toPublic,
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          'user-agent': userAgent,
          accept: ACCEPTED,
          'accept-encoding': 'identity',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
          ...secretHeaders,
        },
        ...(body === undefined ? {} : { body }),
        signal: timeout === undefined ? signal : AbortSignal.any([signal, timeout]),
      });
      const pieces = piecesOf(response, failure);
      const own = plainHeaders(response.headers);
      return { status: response.statusCode, headers: own, body: pieces };
    } catch (error) {
      throw failure(error);
    }
  };

  return {
    async exchange(request, signal) {
      const timeout = new AbortController();
      const timer = setTimeout(() => timeout.abort(), timeoutMs);
      try {
        const response = await open(request, signal, timeout.signal);
        return { ...response, body: await readBody(response.body, responseBytesMax) };
      } finally {
        clearTimeout(timer);
      }
    },
    stream: (request, signal) => open(request, signal),
    async close() {
      await Promise.all([toTrusted.destroy(), toPublic.destroy()]);
    },
  };
}

/** Throws `bad_redirect` for an address that no public host can have. */
function assertPublicHost({ protocol, hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  const isLocalAddress = isIP(host) !== 0 && !isPublicAddress(host);
  if (isLocalAddress || !/^https?:$/.test(protocol)) throw notPublic();
}

/** Resolves a host name for a connection. Refuses it if any of its addresses is not public. */
const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error !== null || first === undefined) callback(error ?? notPublic(), '');
    else if (!addresses.every(({ address }) => isPublicAddress(address))) callback(notPublic(), '');
    else if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};

function notPublic(): LaneFailure {
  return new LaneFailure('bad_redirect', 'the host is not public');
}

async function* piecesOf(
  { body }: Dispatcher.ResponseData,
  failure: (error: unknown) => Error,
): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    throw failure(error);
  }
}

async function readBody(body: AsyncIterable<Buffer>, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop early destroys the stream, and with it the connection.
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new LaneFailure('too_large', `more than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new LaneFailure('bad_answer', 'the response is not UTF-8');
  }
}

function plainHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value ?? '')]),
  );
}

/** Uses the codes of the library, because its messages name hosts and ports. */
function failureOf(error: unknown, isAborted: boolean): LaneFailure {
  if (error instanceof LaneFailure) return error;
  if (isAborted) return new LaneFailure('timeout', 'no response in time');
  const { code = '' } = error as { code?: string };
  if (/TIMEOUT/.test(code)) return new LaneFailure('timeout', 'no response in time');
  if (/HEADERS_OVERFLOW/.test(code))
    return new LaneFailure('too_large', 'the headers are too long');
  return new LaneFailure('unreachable', code === '' ? 'the connection failed' : code);
}
