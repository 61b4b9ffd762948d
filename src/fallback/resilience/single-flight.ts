/**
 * Single flight: whoever asks what is being asked already waits for the same answer. Those who
 * wait may leave. A flight that has sent nothing yet ends with the last of them; one that has goes
 * on to its own end, as its answer is worth keeping.
 */
import { LaneLate, LaneSkip } from '../lane/lane-errors.ts';
import type { AdaptiveDeadline } from './adaptive-deadline.ts';

export interface Flight<Result> {
  /** Aborted when the flight is given up. */
  signal: AbortSignal;
  /** Until when somebody waits (performance.now()); in the past where nobody does. */
  awaitedUntil(): number;
  /** Whether a request has left. */
  isSent: boolean;
  /** A part of the result that those get who cannot wait for all of it. */
  partial: Result | undefined;
}

export interface SingleFlight<Result> {
  /** Whether there is a flight to join. */
  has(key: string): boolean;
  /**
   * Joins the flight of the key, or starts it. Throws what the flight throws; when patience is
   * over a LaneLate, or a LaneSkip where its turn had not come.
   */
  join(key: string, patience: AdaptiveDeadline, start: StartFlight<Result>): Promise<Result>;
  /** Gives all of them up; resolves when they are over. */
  close(): Promise<void>;
}

type StartFlight<Result> = (flight: Flight<Result>) => Promise<Result>;

interface Open<Result> {
  flight: Flight<Result>;
  result: Promise<Result>;
  waiting: Set<AdaptiveDeadline>;
  abort(): void;
}

/** `onLate` gets the results for which nobody has waited. */
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
      awaitedUntil: () => Math.max(...[...waiting].map((patience) => patience.at())),
    };
    const result = start(flight);
    const forget = (): void => {
      if (openFlights.get(key) === opened) openFlights.delete(key);
    };
    const opened = {
      flight,
      result,
      waiting,
      abort() {
        forget();
        controller.abort();
      },
    };
    openFlights.set(key, opened);
    result.then((value) => {
      forget();
      if (waiting.size === 0) onLate(value);
    }, forget);
    return opened;
  };

  return {
    has: (key) => openFlights.has(key),
    async join(key, patience, start) {
      const opened = openFlights.get(key) ?? begin(key, patience, start);
      opened.waiting.add(patience);
      try {
        return await resultWithin(patience, opened);
      } finally {
        opened.waiting.delete(patience);
        if (opened.waiting.size === 0 && !opened.flight.isSent) opened.abort();
      }
    },
    async close() {
      const all = [...openFlights.values()];
      for (const opened of all) opened.abort();
      await Promise.allSettled(all.map(({ result }) => result));
    },
  };
}

function resultWithin<Result>(
  { passed: over }: AdaptiveDeadline,
  { flight, result }: Open<Result>,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const settle = (error: unknown): void => {
      if (flight.partial === undefined) reject(error);
      else resolve(flight.partial);
    };
    const leave = (): void => settle(flight.isSent ? new LaneLate() : new LaneSkip('no_time'));
    if (over.aborted) leave();
    over.addEventListener('abort', leave, { once: true });
    result.then(resolve, settle).finally(() => over.removeEventListener('abort', leave));
  });
}
