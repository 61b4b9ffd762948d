/**
 * The one HTTP client of all lanes, and the only file that knows undici. An answer is bounded in
 * bytes and time; a connection goes to a public address, or to an origin that the operator named.
 * Redirects are not followed here: each is a request of its own, with its own turn.
 */
import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher, request as send } from 'undici';
import { LaneFailure, LaneSkip } from '../lane/lane-errors.ts';
import { isPublicAddress } from './public-address.ts';

export interface HttpRequest {
  url: URL;
  /** A body makes it a POST of JSON. */
  body?: string;
  /** Sent to the origin of the request only; never printed. */
  secretHeaders?: Readonly<Record<string, string>>;
}

export interface HttpResponse {
  status: number;
  /** Names in lower case; of repeated ones, all, joined by commas. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface HttpClient {
  /**
   * One request, one answer of whatever status. Throws a LaneFailure: `timeout`, `unreachable`,
   * `too_large`, or `bad_answer` for a body that is not UTF-8; a LaneSkip where the signal gives it
   * up.
   */
  exchange(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse>;
  close(): Promise<void>;
}

export interface HttpClientOptions {
  userAgent: string;
  timeoutMs: number;
  responseBytesMax: number;
  /** Origins that may be of any address, such as a search engine on this machine. */
  trustedOrigins: ReadonlySet<string>;
}

const ACCEPTED = 'application/json, application/atom+xml, */*;q=0.1';
const HEADER_BYTES_MAX = 16 * 1024;
/** Less than servers keep a silent connection open, so that none is used as it is being closed. */
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

  return {
    async exchange({ url, body, secretHeaders = {} }, signal) {
      const isTrusted = trustedOrigins.has(url.origin);
      if (!isTrusted) assertPublicHost(url);
      const ownHeaders = { 'user-agent': userAgent, accept: ACCEPTED };
      const timeout = new AbortController();
      const timer = setTimeout(() => timeout.abort(), timeoutMs);
      try {
        const answer = await send(url, {
          dispatcher: isTrusted ? toTrusted : toPublic,
          method: body === undefined ? 'GET' : 'POST',
          headers: {
            ...ownHeaders,
            'accept-encoding': 'identity',
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...secretHeaders,
          },
          ...(body === undefined ? {} : { body }),
          signal: AbortSignal.any([signal, timeout.signal]),
        });
        const text = await readBody(answer, responseBytesMax);
        return { status: answer.statusCode, headers: plainHeaders(answer.headers), body: text };
      } catch (error) {
        // That we gave it up is no failure of the provider.
        if (signal.aborted) throw new LaneSkip('closed');
        throw failureOf(error, timeout.signal.aborted);
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      await Promise.all([toTrusted.destroy(), toPublic.destroy()]);
    },
  };
}

/** Throws `bad_redirect` for an address that cannot be of a public host, whatever DNS says. */
function assertPublicHost({ protocol, hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  const isLocalAddress = isIP(host) !== 0 && !isPublicAddress(host);
  if (isLocalAddress || !/^https?:$/.test(protocol)) throw notPublic();
}

/** Looks a name up for a connection, and refuses it where any of its addresses is not public. */
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
  return new LaneFailure('bad_redirect', 'the host is not a public one');
}

async function readBody(answer: Dispatcher.ResponseData, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Leaving the loop early destroys the stream, and with it the connection.
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new LaneFailure('too_large', `more than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new LaneFailure('bad_answer', 'the answer is not UTF-8');
  }
}

function plainHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value ?? '')]),
  );
}

/** The library's messages name hosts and ports; its codes do not. */
function failureOf(error: unknown, isAborted: boolean): LaneFailure {
  if (error instanceof LaneFailure) return error;
  if (isAborted) return new LaneFailure('timeout', 'no answer in time');
  const { code = '' } = error as { code?: string };
  if (/TIMEOUT/.test(code)) return new LaneFailure('timeout', 'no answer in time');
  if (/HEADERS_OVERFLOW/.test(code)) return new LaneFailure('too_large', 'headers are too long');
  return new LaneFailure('unreachable', code === '' ? 'the connection failed' : code);
}
