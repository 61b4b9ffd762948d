/**
 * Single flight: whoever asks what is being asked already waits for the same answer. A flight that
 * nobody waits for any more is given up, with all that it holds.
 */
import { LaneFailure, LaneSkip } from './failure.ts';

export interface Flight {
  /** Aborted when the last of those who wait has left. */
  signal: AbortSignal;
  /** The latest deadline of those who wait (performance.now()). */
  deadline: number;
  /** Whether a request has left; what is over before was skipped and did not fail. */
  isSent: boolean;
}

export interface Flights<Result> {
  /** Whether there is a flight to join. */
  has(key: string): boolean;
  /**
   * Joins the flight of the key, or starts it. Throws what the flight throws; at the deadline a
   * `timeout`, or a LaneSkip where its turn had not come.
   */
  join(key: string, deadline: number, start: StartFlight<Result>): Promise<Result>;
  /** Gives all of them up. */
  abort(): void;
}

type StartFlight<Result> = (flight: Flight) => Promise<Result>;

interface Open<Result> {
  flight: Flight;
  result: Promise<Result>;
  waiting: number;
  abort(): void;
}

export function createFlights<Result>(): Flights<Result> {
  const openFlights = new Map<string, Open<Result>>();

  const begin = (key: string, deadline: number, start: StartFlight<Result>): Open<Result> => {
    const controller = new AbortController();
    const flight: Flight = { signal: controller.signal, deadline, isSent: false };
    const result = start(flight);
    const forget = (): void => {
      if (openFlights.get(key) === opened) openFlights.delete(key);
    };
    const opened = {
      ...{ flight, result, waiting: 0 },
      abort() {
        forget();
        controller.abort();
      },
    };
    openFlights.set(key, opened);
    result.then(forget, forget);
    return opened;
  };

  return {
    has: (key) => openFlights.has(key),
    async join(key, deadline, start) {
      const opened = openFlights.get(key) ?? begin(key, deadline, start);
      opened.flight.deadline = Math.max(opened.flight.deadline, deadline);
      opened.waiting++;
      try {
        return await resultBy(deadline, opened);
      } finally {
        opened.waiting--;
        if (opened.waiting === 0) opened.abort();
      }
    },
    abort() {
      for (const opened of openFlights.values()) opened.abort();
    },
  };
}

function resultBy<Result>(deadline: number, { flight, result }: Open<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => {
        reject(
          flight.isSent
            ? new LaneFailure('timeout', 'no answer within the time of the search')
            : new LaneSkip('no_time'),
        );
      },
      Math.max(0, deadline - performance.now()),
    );
    result.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
