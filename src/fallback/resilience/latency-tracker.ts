/**
 * Whether a provider takes longer than any search waits: then searches ask it for the cache alone.
 * It is no failure, and the first answer that comes in time ends it.
 */
export interface LatencyTracker {
  /** Measures a request to the end of its answer. */
  track<Answer>(exchange: Promise<Answer>): Promise<Answer>;
  /** Whether the last requests all took longer than a search waits. */
  isSlow(): boolean;
}

export interface LatencyLimits {
  lanePatienceMs: number;
  laneSlowMax: number;
}

export function createLatencyTracker({
  lanePatienceMs,
  laneSlowMax,
}: LatencyLimits): LatencyTracker {
  let slowInARow = 0;
  return {
    async track(exchange) {
      let isSlow = false;
      const timer = setTimeout(() => {
        isSlow = true;
        slowInARow++;
      }, lanePatienceMs);
      try {
        const answer = await exchange;
        if (!isSlow) slowInARow = 0;
        return answer;
      } finally {
        clearTimeout(timer);
      }
    },
    isSlow: () => slowInARow >= laneSlowMax,
  };
}
