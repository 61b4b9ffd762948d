/**
 * Limits the searches in flight, per key and in total. It estimates how long a refused caller
 * should wait, and can drain: wait for the running searches, and then refuse new ones.
 */
import { createPermitDurations, type PermitDurations } from './permit-durations.ts';

export interface ConcurrencyLimiter {
  /**
   * Acquires a permit of the key. Returns the function that releases it, or undefined if the key
   * has none left.
   */
  acquireForKey(key: number, most: number): (() => void) | undefined;
  /**
   * Acquires a permit from the total. Returns the function that releases it, or undefined if none
   * is left.
   */
  acquire(): (() => void) | undefined;
  /** Estimates after how many whole seconds, at least 1, a permit of the key will be free. */
  keyWaitSeconds(key: number): number;
  /** Estimates the same for the total. */
  waitSeconds(): number;
  inFlight(): number;
  /**
   * Resolves when every permit is released, or after `waitMs`. From then on it grants none: until then,
   * open connections may still bring searches.
   */
  drain(waitMs: number): Promise<void>;
}

export interface ConcurrencyLimiterOptions {
  /** The longest that anyone holds a permit. */
  permitMsMax: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

/** A permit in use. */
interface Permit {
  since: number;
}

export function createConcurrencyLimiter(
  inFlightMax: number,
  { permitMsMax, now = () => performance.now() }: ConcurrencyLimiterOptions,
): ConcurrencyLimiter {
  // A Set iterates in insertion order, so the first permit is the oldest.
  const byKey = new Map<number, Set<Permit>>();
  const all = new Set<Permit>();
  const keyTimes = createPermitDurations(permitMsMax);
  const allTimes = createPermitDurations(permitMsMax);
  let onIdle: (() => void) | undefined;
  let isDrained = false;

  const grant = (
    permits: Set<Permit>,
    times: PermitDurations,
    onReleased: () => void,
  ): (() => void) => {
    const permit = { since: now() };
    permits.add(permit);
    return () => {
      if (!permits.delete(permit)) return;
      times.add(now() - permit.since);
      onReleased();
    };
  };
  const secondsUntilRelease = (permits: Iterable<Permit>, times: PermitDurations): number => {
    const [oldest] = permits;
    const waitMs = oldest === undefined ? 0 : times.residualMs(now() - oldest.since);
    return Math.max(1, Math.ceil(waitMs / 1000));
  };

  return {
    acquireForKey(key, most) {
      const permits = byKey.get(key) ?? new Set();
      if (permits.size >= most) return undefined;
      byKey.set(key, permits);
      return grant(permits, keyTimes, () => {
        if (permits.size === 0) byKey.delete(key);
      });
    },
    acquire() {
      if (isDrained || all.size >= inFlightMax) return undefined;
      return grant(all, allTimes, () => {
        if (all.size === 0) onIdle?.();
      });
    },
    keyWaitSeconds: (key) => secondsUntilRelease(byKey.get(key) ?? [], keyTimes),
    waitSeconds: () => secondsUntilRelease(all, allTimes),
    inFlight: () => all.size,
    drain(waitMs) {
      return new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          isDrained = true;
          resolve();
        };
        const timer = setTimeout(end, waitMs);
        onIdle = end;
        if (all.size === 0) end();
      });
    },
  };
}
