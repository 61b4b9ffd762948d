/**
 * How long a search waits for its lanes. It is patient until one of them has answered; the others
 * then have as long again. So the slowest lane does not decide how long a search takes.
 */
export interface AdaptiveDeadline {
  /** When it ends (performance.now()). It only ever becomes earlier. */
  at(): number;
  /** Aborted when it ends. */
  passed: AbortSignal;
  /** To be called when a lane has answered. Returns whether the others have less time now. */
  shorten(): boolean;
  /** To be called when nobody waits any more. */
  close(): void;
}

/** Ends after `patienceMs`, and at `deadline` (performance.now()) in any case. */
export function createAdaptiveDeadline(deadline: number, patienceMs: number): AdaptiveDeadline {
  const started = performance.now();
  const controller = new AbortController();
  let until = Math.min(deadline, started + patienceMs);
  let timer: NodeJS.Timeout | undefined;
  const watch = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => controller.abort(), Math.max(0, until - performance.now()));
  };
  watch();
  return {
    at: () => until,
    passed: controller.signal,
    shorten() {
      const now = performance.now();
      const asLongAgain = now + (now - started);
      if (asLongAgain >= until) return false;
      until = asLongAgain;
      watch();
      return true;
    },
    close: () => clearTimeout(timer),
  };
}
