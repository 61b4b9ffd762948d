/**
 * Slows clients down that retry as soon as they are refused, and lets rejections leave together. Each
 * rejection takes time of the thread that also serves, and such clients come back as fast as they are
 * refused: without a pace, 640 of them take most of the searches' time. Waking up for one request
 * takes longer than refusing it, so rejections leave in batches, and clients that retry at once come
 * back in batches. A client that honors `Retry-After` hardly ever meets it.
 */

export interface RejectionPace {
  /** Counts a search that was served. It pays for further prompt rejections. */
  served(): void;
  /** Resolves when a rejection may be sent: promptly, or after the delay if there were too many. */
  turn(): Promise<void>;
}

export interface RejectionPaceOptions {
  /** Prompt rejections that a burst may have. */
  promptRejectionsMax: number;
  /** How many of them come back per second, and with each search that is served. */
  promptRejectionsPerSecond: number;
  promptRejectionsPerSearch: number;
  /** The time between two batches. A prompt rejection waits for the next, unless it is the first. */
  rejectionBatchMs: number;
  /** How long a rejection waits if there is no prompt one left. */
  rejectionDelayMs: number;
  /** Rejections that may wait. Beyond it, each leaves at once, because waiting takes memory. */
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
  rejectionBatchMs,
  rejectionDelayMs,
  rejectionsDelayedMax,
  now = () => performance.now(),
  random = Math.random,
}: RejectionPaceOptions): RejectionPace {
  let prompt = promptRejectionsMax;
  let refilledAt = now();
  let waiting = 0;
  let lastLeftAt = Number.NEGATIVE_INFINITY;
  /** What waits, by the number of its batch since the clock's zero. */
  const batches = new Map<number, (() => void)[]>();
  const add = (count: number): void => {
    prompt = Math.min(promptRejectionsMax, prompt + count);
  };
  const leave = (number: number): void => {
    const batch = batches.get(number) ?? [];
    batches.delete(number);
    waiting -= batch.length;
    lastLeftAt = now();
    for (const send of batch) send();
  };
  /** Resolves with the first batch that leaves after `dueAt`. */
  const joinBatch = (at: number, dueAt: number): Promise<void> => {
    const number = Math.floor(dueAt / rejectionBatchMs) + 1;
    let batch = batches.get(number);
    if (batch === undefined) {
      batch = [];
      batches.set(number, batch);
      setTimeout(leave, number * rejectionBatchMs - at, number).unref();
    }
    const joined = batch;
    waiting++;
    return new Promise((resolve) => {
      joined.push(resolve);
    });
  };
  return {
    served: () => add(promptRejectionsPerSearch),
    async turn() {
      const at = now();
      add(((at - refilledAt) / SECOND_MS) * promptRejectionsPerSecond);
      refilledAt = at;
      const isPrompt = prompt >= 1;
      if (isPrompt) prompt--;
      if (waiting >= rejectionsDelayedMax) return;
      if (!isPrompt) {
        await joinBatch(at, at + rejectionDelayMs * (0.5 + random()));
      } else if (at - lastLeftAt >= rejectionBatchMs) {
        lastLeftAt = at;
      } else {
        await joinBatch(at, at);
      }
    },
  };
}
