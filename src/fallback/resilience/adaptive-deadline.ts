/**
 * How long a search waits for its lanes. After the first lane returns documents, the others get as
 * much time again. The slowest lane therefore does not decide how long a search takes.
 */
export interface AdaptiveDeadline {
  /** When it passes (performance.now()). It can only move earlier. */
  at(): number;
  /** Aborted when it passes. */
  passed: AbortSignal;
  /** Call it when a lane has returned documents. Returns whether the deadline moved. */
  shorten(): boolean;
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
      const asMuchAgain = now + (now - started);
      if (asMuchAgain >= deadline) return false;
      deadline = asMuchAgain;
      schedule();
      return true;
    },
    close: () => clearTimeout(timer),
  };
}
