/** A timer for work that is due within the shortest of several times. */

export interface EarliestTimer {
  /** Rings within so many milliseconds. */
  startWithin(waitMs: number): void;
  /** Forgets when it was to ring. */
  cancel(): void;
}

/** Rings once, at the earliest of the times that it was set to since it last rang. */
export function createEarliestTimer(ring: () => void): EarliestTimer {
  let timer: NodeJS.Timeout | undefined;
  let ringsAt = Number.POSITIVE_INFINITY;
  const stop = (): void => {
    clearTimeout(timer);
    ringsAt = Number.POSITIVE_INFINITY;
  };
  return {
    cancel: stop,
    startWithin(waitMs) {
      const at = performance.now() + waitMs;
      if (at >= ringsAt) return;
      stop();
      ringsAt = at;
      timer = setTimeout(ring, waitMs);
    },
  };
}
