/**
 * Counts searches in flight, for each key and in all, tells how long to wait for a place, and when
 * the last search has ended.
 */
import { createPermitDurations, type PermitDurations } from './permit-durations.ts';

export interface ConcurrencyLimiter {
  /** Takes a place of a key; undefined where the key has none left. Call the result to release. */
  acquireForKey(key: number, most: number): (() => void) | undefined;
  /** Takes one of all limiter; undefined where none is left. Call the result to release. */
  acquire(): (() => void) | undefined;
  /** Whole seconds, at least one, after which a place of the key is likely to be free. */
  keyWaitSeconds(key: number): number;
  /** The same for one of all limiter. */
  waitSeconds(): number;
  inFlight(): number;
  /** No place is given from now on. Resolves when all have been left, or after the wait. */
  drain(waitMs: number): Promise<void>;
}

export interface ConcurrencyLimiterOptions {
  /** How long a place is taken at most. */
  permitMsMax: number;
  /** Milliseconds since some moment. */
  now?: () => number;
}

/** One who has a place, since when. */
interface Permit {
  since: number;
}

export function createConcurrencyLimiter(
  inFlightMax: number,
  { permitMsMax, now = () => performance.now() }: ConcurrencyLimiterOptions,
): ConcurrencyLimiter {
  // A Set iterates in the order of insertion, so its first permit is the oldest.
  const byKey = new Map<number, Set<Permit>>();
  const all = new Set<Permit>();
  const keyTimes = createPermitDurations(permitMsMax);
  const allTimes = createPermitDurations(permitMsMax);
  let onIdle: (() => void) | undefined;
  let isDraining = false;

  const begin = (
    permits: Set<Permit>,
    times: PermitDurations,
    onLeft: () => void,
  ): (() => void) => {
    const permit = { since: now() };
    permits.add(permit);
    return () => {
      if (!permits.delete(permit)) return;
      times.add(now() - permit.since);
      onLeft();
    };
  };
  const secondsUntilOldestReleases = (
    permits: Iterable<Permit>,
    times: PermitDurations,
  ): number => {
    const [oldest] = permits;
    const waitMs = oldest === undefined ? 0 : times.residualMs(now() - oldest.since);
    return Math.max(1, Math.ceil(waitMs / 1000));
  };

  return {
    acquireForKey(key, most) {
      const permits = byKey.get(key) ?? new Set();
      if (permits.size >= most) return undefined;
      byKey.set(key, permits);
      return begin(permits, keyTimes, () => {
        if (permits.size === 0) byKey.delete(key);
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
