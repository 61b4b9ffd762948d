/**
 * Warms up a service after its start: searches for titles of the index while no customer searches.
 * The threads then have inverted lists in their caches and compiled code, and the system has pages
 * of the file in its cache, before the first customers come.
 */
import { setTimeout } from 'node:timers/promises';
import { detailsOf, VerbatimError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { SearchRequest } from '../types.ts';

export interface WarmUpOptions {
  /** The number of searches. */
  searches: number;
  /** Concurrent searches, one for each thread. */
  threads: number;
  /** A title at a share of the index, from 0 to 1. Undefined if the index has none. */
  titleAt: (share: number) => Promise<string | undefined>;
  search: (request: SearchRequest) => Promise<unknown>;
  /** Whether no customer's search is running, and no page is being made. */
  isIdle: () => boolean;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
}

export interface WarmUp {
  /** Stops it. Resolves when none of its searches is running. */
  stop(): Promise<void>;
}

/** The default number of results, so that the code that cites them is warmed up, too. */
const WARM_UP_RESULTS = 10;
/** How long to wait before checking again whether customers wait for something. */
const BUSY_WAIT_MS = 50;

/** Starts in the background and never throws. An error is logged and ends the warm-up. */
export function startWarmUp(options: WarmUpOptions): WarmUp {
  const { log } = options;
  const stopping = new AbortController();
  const started = performance.now();
  const work = searchTitles(options, stopping.signal).then(
    (searches) => {
      const milliseconds = Math.round(performance.now() - started);
      if (!stopping.signal.aborted) log.info('warmed_up', { searches, milliseconds });
    },
    (error: unknown) => logFailure(log, error),
  );
  return {
    stop() {
      stopping.abort();
      return work;
    },
  };
}

/** A database that is away is no defect. Searches of customers warm up what is left. */
function logFailure(log: WarmUpOptions['log'], error: unknown): void {
  const isAway = error instanceof VerbatimError && error.code === 'degraded';
  if (isAway) log.warn('warm_up_ended', { reason: error.message });
  else log.error('warm_up_failed', { reason: detailsOf(error) });
}

/** Returns the number of searches. */
async function searchTitles(
  { searches, threads, titleAt, search, isIdle }: WarmUpOptions,
  signal: AbortSignal,
): Promise<number> {
  let done = 0;
  while (done < searches && !signal.aborted) {
    if (!isIdle()) {
      await setTimeout(BUSY_WAIT_MS);
      continue;
    }
    const titles = await Promise.all(
      Array.from({ length: Math.min(threads, searches - done) }, (_, index) =>
        titleAt((done + index) / searches),
      ),
    );
    const round = titles.filter((title) => title !== undefined);
    if (round.length === 0) return done;
    await Promise.all(
      round.map((query) => search({ query, limit: WARM_UP_RESULTS, withAbstract: false })),
    );
    done += round.length;
  }
  return done;
}
