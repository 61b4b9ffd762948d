/**
 * Fetches the metadata of clients, with limits: only public hosts and the origins that the operator
 * named, no redirects, bounded in size, time, and number. Keeps what it found for a while.
 */
import type { AttemptStore } from '../../accounts/ports/attempt-store.ts';
import { createThrottle } from '../../accounts/throttle.ts';
import { VerbatimError } from '../../errors.ts';
import { LaneFailure } from '../../lanes/lane/lane-errors.ts';
import type { HttpResponse } from '../../lanes/lane/provider.ts';
import { createHttpClient } from '../../lanes/transport/http-client.ts';
import type { Settings } from '../../settings/config.ts';
import { version } from '../../settings/version.ts';
import { type Client, parseClientId, parseClientMetadata } from './client-metadata.ts';
import { parseOrigins } from './oauth-options.ts';

export interface ClientReader {
  /**
   * Returns the client with this id, for a customer who waits. Throws `bad_request` with what is wrong,
   * `too_many_tries`, or `at_capacity`.
   */
  read(id: string, customerId: number): Promise<Client>;
  close(): Promise<void>;
}

const MINUTE_MS = 60_000;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

export interface ClientReaderOptions {
  settings: Settings;
  /** Counts the requests that customers cause. */
  store: AttemptStore;
  now: () => number;
}

export function createClientReader({ settings, store, now }: ClientReaderOptions): ClientReader {
  const origins = parseOrigins(settings.clientOrigins);
  const http = createHttpClient({
    userAgent: `verbatim/${version}`,
    timeoutMs: settings.clientMetadataTimeoutMs,
    responseBytesMax: settings.clientMetadataBytesMax,
    trustedOrigins: origins,
  });
  const fetches = createThrottle({
    store,
    count: 'client fetches',
    attemptsMax: settings.clientFetchesPerCustomerMax,
    windowMs: settings.throttleMinutes * MINUTE_MS,
    now,
  });
  const closing = new AbortController();
  // A Map iterates in insertion order, so the first client is the oldest.
  const kept = new Map<string, { client: Client; until: number }>();
  let inFlight = 0;
  const fetchClient = async (url: URL): Promise<Client> => {
    if (inFlight >= settings.clientFetchesMax) throw new VerbatimError('at_capacity');
    inFlight++;
    try {
      return parseClientMetadata(url, bodyOf(await http.exchange({ url }, closing.signal), url));
    } catch (error) {
      throw describeFailure(error, url);
    } finally {
      inFlight--;
    }
  };
  return {
    async read(id, customerId) {
      const url = parseClientId(id, origins);
      const known = kept.get(id);
      if (known !== undefined && known.until > now()) return known.client;
      await fetches.take(String(customerId));
      const client = await fetchClient(url);
      kept.delete(id);
      kept.set(id, { client, until: now() + settings.clientMetadataKeptMs });
      const [oldest] = kept.keys();
      if (kept.size > settings.clientMetadataKeptMax && oldest !== undefined) kept.delete(oldest);
      return client;
    },
    close() {
      closing.abort();
      return http.close();
    },
  };
}

/** Any other status than 200, redirects included, is a refusal (section 4 of the draft). */
function bodyOf({ status, headers, body }: HttpResponse, url: URL): string {
  if (status !== 200) {
    throw new VerbatimError('bad_request', `${url.host} answered ${status} for the metadata`);
  }
  if (JSON_TYPE.test(headers['content-type'] ?? '')) return body;
  throw new VerbatimError('bad_request', `the metadata of ${url.host} is not application/json`);
}

function describeFailure(error: unknown, url: URL): unknown {
  if (!(error instanceof LaneFailure)) return error;
  const message = `the metadata of the client cannot be read from ${url.host}: ${error.message}`;
  return new VerbatimError('bad_request', message);
}
