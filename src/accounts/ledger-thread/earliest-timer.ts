/** A timer for work with several deadlines. */

export interface EarliestTimer {
  /** Runs the task within so many milliseconds. */
  startWithin(waitMs: number): void;
  /** Cancels the pending run. */
  cancel(): void;
}

/** Runs `run` once, at the earliest deadline set since the last run. */
export function createEarliestTimer(run: () => void): EarliestTimer {
  let timer: NodeJS.Timeout | undefined;
  let runsAt = Number.POSITIVE_INFINITY;
  const stop = (): void => {
    clearTimeout(timer);
    runsAt = Number.POSITIVE_INFINITY;
  };
  return {
    cancel: stop,
    startWithin(waitMs) {
      const at = performance.now() + waitMs;
      if (at >= runsAt) return;
      stop();
      runsAt = at;
      timer = setTimeout(run, waitMs);
    },
  };
}
