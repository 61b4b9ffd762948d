/**
 * Counts searches in flight, for each key and in all, tells how long to wait for a place, and when
 * the last search has ended.
 */
import { createStayTimes, type StayTimes } from './stay-times.ts';

export interface ConcurrencyLimiter {
  /** Takes a place of a key; undefined where the key has none left. Call the result to leave. */
  acquireForKey(key: number, most: number): (() => void) | undefined;
  /** Takes one of all places; undefined where none is left. Call the result to leave. */
  acquire(): (() => void) | undefined;
  /** Whole seconds, at least one, after which a place of the key is likely to be free. */
  keyWaitSeconds(key: number): number;
  /** The same for one of all places. */
  waitSeconds(): number;
  inFlight(): number;
  /** No place is given from now on. Resolves when all have been left, or after the wait. */
  drain(waitMs: number): Promise<void>;
}

export interface ConcurrencyLimiterOptions {
  /** How long a place is taken at most. */
  stayMsMax: number;
  /** Milliseconds since some moment. */
  now?: () => number;
}

/** One who has a place, since when. */
interface Stay {
  since: number;
}

export function createConcurrencyLimiter(
  inFlightMax: number,
  { stayMsMax, now = () => performance.now() }: ConcurrencyLimiterOptions,
): ConcurrencyLimiter {
  // A Set iterates in the order of insertion, so its first stay is the oldest.
  const byKey = new Map<number, Set<Stay>>();
  const all = new Set<Stay>();
  const keyTimes = createStayTimes(stayMsMax);
  const allTimes = createStayTimes(stayMsMax);
  let onIdle: (() => void) | undefined;
  let isDraining = false;

  const begin = (stays: Set<Stay>, times: StayTimes, onLeft: () => void): (() => void) => {
    const stay = { since: now() };
    stays.add(stay);
    return () => {
      if (!stays.delete(stay)) return;
      times.add(now() - stay.since);
      onLeft();
    };
  };
  const secondsUntilOldestReleases = (stays: Iterable<Stay>, times: StayTimes): number => {
    const [oldest] = stays;
    const waitMs = oldest === undefined ? 0 : times.residualMs(now() - oldest.since);
    return Math.max(1, Math.ceil(waitMs / 1000));
  };

  return {
    acquireForKey(key, most) {
      const stays = byKey.get(key) ?? new Set();
      if (stays.size >= most) return undefined;
      byKey.set(key, stays);
      return begin(stays, keyTimes, () => {
        if (stays.size === 0) byKey.delete(key);
      });
    },
    acquire() {
      if (isDraining || all.size >= inFlightMax) return undefined;
      return begin(all, allTimes, () => {
        if (all.size === 0) onIdle?.();
      });
    },
    keyWaitSeconds: (key) => secondsUntilOldestReleases(byKey.get(key) ?? [], keyTimes),
    waitSeconds: () => secondsUntilOldestReleases(all, allTimes),
    inFlight: () => all.size,
    drain(waitMs) {
      isDraining = true;
      if (all.size === 0) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, waitMs);
        onIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}
