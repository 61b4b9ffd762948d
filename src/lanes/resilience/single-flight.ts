/**
 * Single flight: callers that ask for a key while it is in flight share one result. A flight that
 * has sent nothing yet is canceled when its last caller stops waiting. A flight that has sent a
 * request goes on to its end, because its result is worth caching.
 */
import { LaneLate, LaneSkip } from '../lane/lane-errors.ts';
import type { AdaptiveDeadline } from './adaptive-deadline.ts';

export interface Flight<Result> {
  /** Aborted when the flight is canceled. */
  signal: AbortSignal;
  /** Until when a caller waits (performance.now()). In the past if no caller does. */
  awaitedUntil(): number;
  /** Whether a request has been sent. */
  isSent: boolean;
  /** A partial result, for callers that cannot wait for all of it. */
  partial: Result | undefined;
}

export interface SingleFlight<Result> {
  /** Whether the key is in flight. */
  has(key: string): boolean;
  /**
   * Joins the flight of the key, or starts one. Throws what the flight throws. At the deadline it
   * throws a LaneLate if a request was sent, else a LaneSkip, because the rate limiter holds it.
   */
  join(key: string, deadline: AdaptiveDeadline, start: StartFlight<Result>): Promise<Result>;
  /** Cancels every flight, and resolves when they have ended. */
  close(): Promise<void>;
}

type StartFlight<Result> = (flight: Flight<Result>) => Promise<Result>;

interface Open<Result> {
  flight: Flight<Result>;
  result: Promise<Result>;
  waiting: Set<AdaptiveDeadline>;
  cancel(): void;
}

/** `onLate` receives the results that no caller waited for. */
export function createSingleFlight<Result>(onLate: (result: Result) => void): SingleFlight<Result> {
  const openFlights = new Map<string, Open<Result>>();

  const begin = (
    key: string,
    first: AdaptiveDeadline,
    start: StartFlight<Result>,
  ): Open<Result> => {
    const controller = new AbortController();
    const waiting = new Set([first]);
    const flight: Flight<Result> = {
      signal: controller.signal,
      isSent: false,
      partial: undefined,
      awaitedUntil: () => Math.max(...[...waiting].map((deadline) => deadline.at())),
    };
    const result = start(flight);
    const remove = (): void => {
      if (openFlights.get(key) === opened) openFlights.delete(key);
    };
    const opened = {
      flight,
      result,
      waiting,
      cancel() {
        remove();
        controller.abort();
      },
    };
    openFlights.set(key, opened);
    result.then((value) => {
      remove();
      if (waiting.size === 0) onLate(value);
    }, remove);
    return opened;
  };

  return {
    has: (key) => openFlights.has(key),
    async join(key, deadline, start) {
      const opened = openFlights.get(key) ?? begin(key, deadline, start);
      opened.waiting.add(deadline);
      try {
        return await resultBy(deadline, opened);
      } finally {
        opened.waiting.delete(deadline);
        if (opened.waiting.size === 0 && !opened.flight.isSent) opened.cancel();
      }
    },
    async close() {
      const all = [...openFlights.values()];
      for (const opened of all) opened.cancel();
      await Promise.allSettled(all.map(({ result }) => result));
    },
  };
}

function resultBy<Result>(
  { passed }: AdaptiveDeadline,
  { flight, result }: Open<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const settle = (error: unknown): void => {
      if (flight.partial === undefined) reject(error);
      else resolve(flight.partial);
    };
    const stopWaiting = (): void =>
      settle(flight.isSent ? new LaneLate() : new LaneSkip('throttled'));
    if (passed.aborted) stopWaiting();
    passed.addEventListener('abort', stopWaiting, { once: true });
    result.then(resolve, settle).finally(() => passed.removeEventListener('abort', stopWaiting));
  });
}
