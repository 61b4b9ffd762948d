/**
 * Fetches files and pages of a provider politely: at its pace, which lanes and other processes share,
 * with the pauses that it asks for, and again after failures that may pass.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { VerbatimError } from '../errors.ts';
import { LaneFailure, LaneSkip } from '../lanes/lane/lane-errors.ts';
import type { HttpRequest, Quota } from '../lanes/lane/provider.ts';
import type { ProviderRecords } from '../lanes/records/lane-records.ts';
import { type BackoffLimits, createBackoff } from '../lanes/resilience/backoff.ts';
import { createRateLimiter } from '../lanes/resilience/lane-rate-limiter.ts';
import { followRedirects } from '../lanes/transport/follow-redirects.ts';
import type { HttpClient, StreamedResponse } from '../lanes/transport/http-client.ts';
import { assertAccepted } from '../lanes/transport/response-status.ts';
import {
  type Fetched,
  type Fetcher,
  type FetchOptions,
  SourcePostponed,
} from './ports/provider.ts';

export interface FetcherLimits extends BackoffLimits {
  laneRedirectsMax: number;
  laneTimeoutMs: number;
  sourceAttemptsMax: number;
  sourceRetryMs: number;
  sourcePauseMsMax: number;
  sourcePartBytesMax: number;
}

export interface FetcherDeps {
  client: HttpClient;
  limits: FetcherLimits;
  /** Shared with the lanes and with other processes. */
  records: ProviderRecords;
  /** The name of the provider in the records. */
  subject: string;
  /** The key of its backoffs in the records. */
  backoffSubject: string;
  gapMs: number;
  /** Requests in a day. 0: no cap. */
  requestsPerDayMax: number;
  quotaOf: (headers: Fetched['headers']) => Quota;
  /** An empty folder of this process. */
  folder: string;
  signal: AbortSignal;
  /** Called while nothing can be fetched, with the reason in words. */
  onWait: (reason: string, waitMs: number) => void;
  /** Called with each request and the bytes of its response. */
  onRequest: () => void;
  onBytes: (bytes: number) => void;
  /** Called with each piece of a body. */
  keepAlive: () => Promise<void>;
}

/** Failures that may pass. */
const TRANSIENT = ['timeout', 'unreachable', 'server_error', 'rate_limited', 'bad_answer'];

export function createFetcher(deps: FetcherDeps): Fetcher {
  const { limits, records, subject, folder, signal } = deps;
  const backoff = createBackoff({
    limits,
    records,
    name: subject,
    subject: deps.backoffSubject,
    requestsPerDayMax: deps.requestsPerDayMax,
    onUnavailable: () => {},
  });
  const limiter = createRateLimiter({
    gapMs: deps.gapMs,
    concurrencyMax: 1,
    queueMax: 1,
    lease: {
      waitMs: () => records.leaseWaitMs(subject),
      acquire: () => records.acquireLease(subject, limits.laneTimeoutMs + deps.gapMs),
      release: (gapMs) => records.releaseLease(subject, gapMs),
    },
  });
  /** Waits out a pause of the provider, or rejects if it is too long. */
  const waitForPause = async (): Promise<void> => {
    const pause = backoff.current();
    if (pause === undefined) return;
    if (pause.forMs > limits.sourcePauseMsMax) throw new SourcePostponed(Date.now() + pause.forMs);
    await wait('the provider asks for a pause', pause.forMs, deps);
  };
  const send = async (request: HttpRequest): Promise<StreamedResponse & { url: URL }> => {
    const startMax = (): number => Number.POSITIVE_INFINITY;
    return limiter.run(
      async () => {
        records.countRequest(subject);
        deps.onRequest();
        const response = await deps.client.stream(request, signal);
        const { exhaustedForMs, ...limits } = deps.quotaOf(response.headers);
        limiter.tighten(limits);
        if (exhaustedForMs !== undefined) backoff.start(exhaustedForMs);
        // Nobody reads the page of a redirect, and a long one would hold its connection.
        if (response.status >= 300 && response.status < 400) await discard(response.body);
        return { ...response, url: request.url };
      },
      { signal, startMax },
    );
  };
  const attempt = async (request: HttpRequest, options: FetchOptions): Promise<Fetched> => {
    const response = await followRedirects(request, limits.laneRedirectsMax, async (hop) => {
      await waitForPause();
      return send(hop);
    });
    const { status, headers, url } = response;
    try {
      if (!options.accepted?.includes(status)) assertAccepted({ status, headers });
    } catch (error) {
      await discard(response.body);
      throw error;
    }
    const path = join(folder, options.name);
    const bytesMax = options.bytesMax ?? limits.sourcePartBytesMax;
    const { bytes, md5 } = await write(response.body, { path, bytesMax }, deps);
    const fetched = { status, headers, path, bytes, md5, url };
    await options.check?.(fetched);
    backoff.onResponse();
    return fetched;
  };

  let last: string | undefined;
  return {
    async fetch(request, options) {
      if (last !== undefined) await rm(last, { force: true });
      last = join(folder, options.name);
      for (let failures = 1; ; failures++) {
        await waitForPause();
        try {
          return await attempt(request, options);
        } catch (error) {
          if (!(error instanceof LaneFailure)) throw error;
          backoff.onFailure(error);
          const isLast = failures >= limits.sourceAttemptsMax;
          if (error.reason === 'rate_limited') {
            if (isLast) throw new SourcePostponed(Date.now() + limits.sourcePauseMsMax);
            continue;
          }
          if (!TRANSIENT.includes(error.reason) || isLast) throw error;
          await wait(error.message, limits.sourceRetryMs * 2 ** (failures - 1), deps);
        }
      }
    },
  };
}

async function wait(
  reason: string,
  waitMs: number,
  { onWait, signal }: Pick<FetcherDeps, 'onWait' | 'signal'>,
): Promise<void> {
  onWait(reason, waitMs);
  await sleep(waitMs, undefined, { signal }).catch(() => {
    throw new LaneSkip('closed');
  });
}

/** Leaves a body unread, which closes its connection. */
async function discard(body: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of body) return;
}

async function write(
  body: AsyncIterable<Buffer>,
  { path, bytesMax }: { path: string; bytesMax: number },
  { onBytes, keepAlive }: Pick<FetcherDeps, 'onBytes' | 'keepAlive'>,
): Promise<{ bytes: number; md5: string }> {
  const hash = createHash('md5');
  const file = createWriteStream(path);
  const failed = once(file, 'error').then(([error]: Error[]) => {
    throw new VerbatimError('unwritable_output', `cannot write ${path}: ${error?.message}`);
  });
  failed.catch(() => {});
  let bytes = 0;
  try {
    for await (const piece of body) {
      bytes += piece.length;
      if (bytes > bytesMax) throw new LaneFailure('too_large', `more than ${bytesMax} bytes`);
      onBytes(piece.length);
      await keepAlive();
      hash.update(piece);
      if (!file.write(piece)) await Promise.race([once(file, 'drain'), failed]);
    }
    file.end();
    await Promise.race([once(file, 'close'), failed]);
  } finally {
    file.destroy();
  }
  return { bytes, md5: hash.digest('hex') };
}
