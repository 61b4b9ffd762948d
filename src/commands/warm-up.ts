/**
 * Searches for titles of the index after the start of a service, while no customer searches: then
 * every thread has the inverted lists in its memory and its code compiled, and the system has pages of the
 * file in its cache, before the first customers would wait for all that.
 */
import { setTimeout } from 'node:timers/promises';
import { detailsOf } from '../errors.ts';
import type { Log } from '../log.ts';
import type { SearchRequest } from '../types.ts';

export interface WarmUpOptions {
  /** Searches in all. */
  searches: number;
  /** Searches at a time: one for each thread. */
  threads: number;
  /** A title from the index, at a share of it from 0 to 1; undefined where it has none. */
  titleAt: (share: number) => string | undefined;
  search: (request: SearchRequest) => Promise<unknown>;
  /** Whether no customer's search is under way. */
  isIdle: () => boolean;
  log: Log;
}

export interface WarmUp {
  /** Ends it; resolves when none of its searches is under way. */
  stop(): Promise<void>;
}

/** As many as a search gives that does not say how many: what cites them is warmed up, too. */
const WARM_UP_RESULTS = 10;
/** How long customers' searches are waited for before it is looked again. */
const BUSY_WAIT_MS = 50;

/** Starts in the background. Never fails: what goes wrong is logged, and ends it. */
export function startWarmUp(options: WarmUpOptions): WarmUp {
  const { log } = options;
  const stopping = new AbortController();
  const started = performance.now();
  const work = searchTitles(options, stopping.signal).then(
    (searches) => {
      const milliseconds = Math.round(performance.now() - started);
      if (!stopping.signal.aborted) log.info('warmed_up', { searches, milliseconds });
    },
    (error: unknown) => log.error('warm_up_failed', { reason: detailsOf(error) }),
  );
  return {
    stop() {
      stopping.abort();
      return work;
    },
  };
}

/** Returns how many searches there were. */
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
    const round = Array.from({ length: Math.min(threads, searches - done) }, (_, index) =>
      titleAt((done + index) / searches),
    ).filter((title) => title !== undefined);
    if (round.length === 0) return done;
    await Promise.all(
      round.map((query) => search({ query, limit: WARM_UP_RESULTS, withAbstract: false })),
    );
    done += round.length;
  }
  return done;
}
