/**
 * Whether a provider is slower than any search waits. Searches then ask it for the cache only. Being
 * slow is not a failure, and the first response in time ends it.
 */
export interface LatencyTracker {
  /** Tracks a request until the end of its response. */
  track<Response>(exchange: Promise<Response>): Promise<Response>;
  /** Whether the last requests all took longer than a search waits. */
  isSlow(): boolean;
}

export interface LatencyLimits {
  laneWaitMsMax: number;
  laneSlowRequestsMax: number;
}

export function createLatencyTracker(limits: LatencyLimits): LatencyTracker {
  let consecutiveSlow = 0;
  return {
    async track(exchange) {
      let isSlow = false;
      const timer = setTimeout(() => {
        isSlow = true;
        consecutiveSlow++;
      }, limits.laneWaitMsMax);
      try {
        const response = await exchange;
        if (!isSlow) consecutiveSlow = 0;
        return response;
      } finally {
        clearTimeout(timer);
      }
    },
    isSlow: () => consecutiveSlow >= limits.laneSlowRequestsMax,
  };
}
