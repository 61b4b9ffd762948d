/**
 * Slows clients down that retry as soon as they are refused. Each rejection takes time of the thread
 * that also serves, and such clients come back as fast as they are refused: without a pace, 640 of
 * them take most of the searches' time. A client that honors `Retry-After` hardly ever meets it.
 */

export interface RejectionPace {
  /** Counts a search that was served. It pays for further prompt rejections. */
  served(): void;
  /** Resolves when a rejection may be sent: at once, or after the delay if there were too many. */
  turn(): Promise<void>;
}

export interface RejectionPaceOptions {
  /** Prompt rejections that a burst may have. */
  promptRejectionsMax: number;
  /** How many of them come back per second, and with each search that is served. */
  promptRejectionsPerSecond: number;
  promptRejectionsPerSearch: number;
  /** How long a rejection waits if there is no prompt one left. */
  rejectionDelayMs: number;
  /** Rejections that may wait. Beyond it, each is prompt, because waiting takes memory. */
  rejectionsDelayedMax: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
  /** From 0 to 1. It spreads what waits, so that clients do not come back all at once. */
  random?: () => number;
}

const SECOND_MS = 1_000;

export function createRejectionPace({
  promptRejectionsMax,
  promptRejectionsPerSecond,
  promptRejectionsPerSearch,
  rejectionDelayMs,
  rejectionsDelayedMax,
  now = () => performance.now(),
  random = Math.random,
}: RejectionPaceOptions): RejectionPace {
  let prompt = promptRejectionsMax;
  let refilledAt = now();
  let delayed = 0;
  const add = (count: number): void => {
    prompt = Math.min(promptRejectionsMax, prompt + count);
  };
  return {
    served: () => add(promptRejectionsPerSearch),
    async turn() {
      const at = now();
      add(((at - refilledAt) / SECOND_MS) * promptRejectionsPerSecond);
      refilledAt = at;
      if (prompt >= 1) {
        prompt--;
        return;
      }
      if (delayed >= rejectionsDelayedMax) return;
      delayed++;
      const delayMs = rejectionDelayMs * (0.5 + random());
      await new Promise((resolve) => setTimeout(resolve, delayMs).unref());
      delayed--;
    },
  };
}
