/**
 * How long a search waits for its lanes. After the first lane returns documents, the others get as
 * much time again. The slowest lane therefore does not decide how long a search takes.
 */

/**
 * The others get at least this many milliseconds. A provider that answers in 50 ms would otherwise
 * shut out those that usually take 0.6 s.
 */
const OTHERS_WAIT_MS_MIN = 800;

export interface AdaptiveDeadline {
  /** When it passes (performance.now()). It can only move earlier. */
  at(): number;
  /** Aborted when it passes. */
  passed: AbortSignal;
  /** Call it when a lane has returned documents. Returns whether the deadline moved. */
  shorten(): boolean;
  /** Lets it pass now. */
  pass(): void;
  /** Stops the timer. */
  close(): void;
}

/** Passes after `waitMsMax`, and in any case at `latest` (performance.now()). */
export function createAdaptiveDeadline(latest: number, waitMsMax: number): AdaptiveDeadline {
  const started = performance.now();
  const controller = new AbortController();
  let deadline = Math.min(latest, started + waitMsMax);
  let timer: NodeJS.Timeout | undefined;
  const schedule = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => controller.abort(), Math.max(0, deadline - performance.now()));
  };
  schedule();
  return {
    at: () => deadline,
    passed: controller.signal,
    shorten() {
      const now = performance.now();
      const others = now + Math.max(now - started, OTHERS_WAIT_MS_MIN);
      if (others >= deadline) return false;
      deadline = others;
      schedule();
      return true;
    },
    pass() {
      deadline = Math.min(deadline, performance.now());
      clearTimeout(timer);
      controller.abort();
    },
    close: () => clearTimeout(timer),
  };
}
