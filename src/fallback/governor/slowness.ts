/**
 * Whether a provider takes longer than any search waits: then searches ask it for the cache alone.
 * It is no failure, and the first answer that comes in time ends it.
 */
export interface Slowness {
  /** Measures a request to the end of its answer. */
  watch<Answer>(exchange: Promise<Answer>): Promise<Answer>;
  /** Whether the last requests all took longer than a search waits. */
  isSlow(): boolean;
}

export interface SlownessLimits {
  lanePatienceMs: number;
  laneSlowMax: number;
}

export function createSlowness({ lanePatienceMs, laneSlowMax }: SlownessLimits): Slowness {
  let slowInARow = 0;
  return {
    async watch(exchange) {
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
