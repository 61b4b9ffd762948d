/**
 * Fetches files and pages of a provider politely: at its pace, which lanes and other processes share,
 * with the pauses that it asks for, and again after failures that may pass.
 */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { VerbatimError } from '../errors.ts';
import { LaneFailure, LaneSkip } from '../lanes/lane/lane-errors.ts';
import type { HttpRequest } from '../lanes/lane/provider.ts';
import { accountOf, requestsPerDayMaxOf } from '../lanes/lane-settings.ts';
import type { ProviderRecords } from '../lanes/records/lane-records.ts';
import { createBackoff } from '../lanes/resilience/backoff.ts';
import { backoffSubject } from '../lanes/resilience/in-memory-records.ts';
import { createLease, createRateLimiter } from '../lanes/resilience/lane-rate-limiter.ts';
import { followRedirects } from '../lanes/transport/follow-redirects.ts';
import type { HttpClient, StreamedResponse } from '../lanes/transport/http-client.ts';
import { assertAccepted } from '../lanes/transport/response-status.ts';
import type { Settings } from '../settings/config.ts';
import {
  type Fetched,
  type Fetcher,
  type FetchOptions,
  NotFound,
  type Pace,
  SourcePostponed,
} from './ports/provider.ts';
import type { SourceRun } from './ports/source.ts';

export interface FetcherDeps {
  client: HttpClient;
  settings: Settings;
  pace: Pace;
  /** Shared with the lanes and with other processes. */
  records: ProviderRecords;
  /** An empty folder of this process. */
  folder: string;
  signal: AbortSignal;
  /** Counts what was sent and received. */
  run: Pick<SourceRun, 'requests' | 'bytes'>;
  /** Called while nothing can be fetched, with the reason in words. */
  onWait: (reason: string, waitMs: number) => void;
  /** Called with each piece of a body. */
  keepAlive: () => Promise<void>;
}

/** Failures that may pass. */
const TRANSIENT = ['timeout', 'unreachable', 'server_error', 'rate_limited', 'bad_answer'];

export function createFetcher(deps: FetcherDeps): Fetcher {
  const { settings, records, pace, folder, signal, run } = deps;
  const { subject, lane } = pace;
  const gapMs = settings[pace.gap];
  const backoff = createBackoff({
    limits: settings,
    records,
    name: subject,
    subject: backoffSubject(subject, lane === undefined ? [] : accountOf(pace.subject, settings)),
    requestsPerDayMax: lane === undefined ? 0 : requestsPerDayMaxOf(lane, settings),
    onUnavailable: () => {},
  });
  const lease = createLease(records, subject, settings.laneTimeoutMs + gapMs);
  const limiter = createRateLimiter({ gapMs, concurrencyMax: 1, queueMax: 1, lease });
  /** Waits out a pause of the provider, or rejects if it is too long. */
  const waitForPause = async (): Promise<void> => {
    const pause = backoff.current();
    if (pause === undefined) return;
    if (pause.forMs > settings.sourcePauseMsMax) {
      throw new SourcePostponed(Date.now() + pause.forMs);
    }
    await wait('the provider asks for a pause', pause.forMs, deps);
  };
  const send = async (request: HttpRequest): Promise<StreamedResponse & { url: URL }> => {
    const startMax = (): number => Number.POSITIVE_INFINITY;
    return limiter.run(
      async () => {
        records.countRequest(subject);
        run.requests++;
        const response = await deps.client.stream(request, signal);
        const { exhaustedForMs, ...limits } = pace.quotaOf?.(response.headers) ?? {};
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
    const response = await followRedirects(request, settings.laneRedirectsMax, async (hop) => {
      await waitForPause();
      return send(hop);
    });
    const { status, headers, url } = response;
    try {
      if (!options.accepted?.includes(status)) assertFound(response);
    } catch (error) {
      await discard(response.body);
      throw error;
    }
    const path = join(folder, 'fetched');
    const bytesMax = options.bytesMax ?? settings.sourcePartBytesMax;
    const written = await write(response.body, { path, bytesMax }, deps);
    const fetched = { status, headers, path, url, ...written };
    await options.check?.(fetched);
    backoff.onResponse();
    return fetched;
  };
  const fetch: Fetcher['fetch'] = async (request, options = {}) => {
    for (let failures = 1; ; failures++) {
      await waitForPause();
      try {
        return await attempt(request, options);
      } catch (error) {
        if (!(error instanceof LaneFailure)) throw error;
        backoff.onFailure(error);
        const isLast = failures >= settings.sourceAttemptsMax;
        if (error.reason === 'rate_limited') {
          if (isLast) throw new SourcePostponed(Date.now() + settings.sourcePauseMsMax);
          continue;
        }
        const mayPass = TRANSIENT.includes(error.reason) && !(error instanceof NotFound);
        if (!mayPass || isLast) throw error;
        await wait(error.message, settings.laneBackoffMs * 2 ** failures, deps);
      }
    }
  };
  return { fetch, fetchPage: pagesOf(fetch, settings.sourcePageBytesMax) };
}

function pagesOf(fetch: Fetcher['fetch'], bytesMax: number): Fetcher['fetchPage'] {
  return async <Page>(
    request: HttpRequest,
    read: (text: string, fetched: Fetched) => Page,
    options?: Pick<FetchOptions, 'accepted'>,
  ) => {
    let page: Page | undefined;
    const check = async (fetched: Fetched): Promise<void> => {
      page = read(await readFile(fetched.path, 'utf8'), fetched);
    };
    const fetched = await fetch(request, { ...options, bytesMax, check });
    return { ...fetched, page: page as Page };
  };
}

/** Throws the matching LaneFailure unless the status is 2xx. */
function assertFound({ status, headers, url }: StreamedResponse & { url: URL }): void {
  if (status === 404) throw new NotFound(`there is no ${url.pathname}`);
  assertAccepted({ status, headers });
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
  { run, keepAlive }: Pick<FetcherDeps, 'run' | 'keepAlive'>,
): Promise<{ bytes: number; md5: string }> {
  const hash = createHash('md5');
  let bytes = 0;
  const pieces = async function* (): AsyncGenerator<Buffer> {
    for await (const piece of body) {
      bytes += piece.length;
      if (bytes > bytesMax) throw new LaneFailure('too_large', `more than ${bytesMax} bytes`);
      run.bytes += piece.length;
      await keepAlive();
      hash.update(piece);
      yield piece;
    }
  };
  await pipeline(pieces, createWriteStream(path)).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall === undefined) throw error;
    throw new VerbatimError('unwritable_output', `cannot write ${path}: ${error.message}`);
  });
  return { bytes, md5: hash.digest('hex') };
}
