/**
 * When a request to a provider may be sent: first come, first served, with a limit on concurrent
 * requests, a gap between requests, and a bounded queue.
 *
 * With a concurrency of 1, the gap counts from the end of a request. The provider then sees two
 * starts at least a gap apart, however long the first request was on its way. With a higher
 * concurrency it is a sliding window, as providers state it: n requests may start at once, and no
 * more than n in any n gaps.
 *
 * The limiter can tell how long a request would wait before it joins the queue. That is why a lane
 * can be skipped at once; general-purpose queues do not offer it.
 */
import { LaneSkip, type SkipReason } from '../lane/lane-errors.ts';
import type { RateLimits } from '../lane/provider.ts';
import type { ProviderRecords } from '../records/lane-records.ts';

export interface QueuedRequest {
  /** Aborting it removes the request from the queue. */
  signal: AbortSignal;
  /** The latest useful start (performance.now()). */
  startMax(): number;
}

/** The right to send to a provider that allows one request at a time, across all processes. */
export interface ProviderLease {
  /** How long another process still holds the lease. */
  waitMs(): number;
  /** Acquires the lease: 0, or how long to wait before the next attempt. Never rejects. */
  acquire(): number | Promise<number>;
  /** Releases the lease. Another process may acquire it after the gap. */
  release(gapMs: number): void;
}

/** The lease in the records. `holdMs`: how long it lasts if this process dies during a request. */
export function createLease(
  records: ProviderRecords,
  provider: string,
  holdMs: number,
): ProviderLease {
  return {
    waitMs: () => records.leaseWaitMs(provider),
    acquire: () => records.acquireLease(provider, holdMs),
    release: (gapMs) => records.releaseLease(provider, gapMs),
  };
}

export interface RateLimiter {
  /** The least time that one more request would wait. */
  waitMs(): number;
  /** Runs `work` when the limits allow it. Throws a LaneSkip if that is too late. */
  run<Result>(work: () => Promise<Result>, request: QueuedRequest): Promise<Result>;
  /** Applies stricter limits that the provider states. They never loosen those of the settings. */
  tighten(limits: Partial<RateLimits>): void;
  /** Starts nothing for this long. Rejects the requests that cannot wait that long. */
  delay(delayMs: number, reason: SkipReason): void;
  /** Rejects the queued requests that would start too late. */
  dropTooLate(): void;
  /** Rejects all queued requests. */
  dropAll(reason: SkipReason): void;
}

interface Waiting extends QueuedRequest {
  start(): Promise<void>;
  skip(reason: SkipReason): void;
}

interface State extends RateLimits {
  lease: ProviderLease | undefined;
  running: number;
  /** The earliest next start. */
  startMin: number;
  /** The latest starts, oldest first, as many as the window needs. */
  starts: number[];
  queue: Waiting[];
  timer: NodeJS.Timeout | undefined;
  /** Whether the answer to an attempt at the lease is awaited. */
  isAcquiring: boolean;
}

/**
 * A request without a response may still be on its way. The gap after it is longer, because the
 * provider may see it after we gave it up.
 */
export const LOST_REQUEST_MARGIN_MS = 1_000;
/** How often the lease of another process is checked. */
const LEASE_POLL_MS = 100;
/** Longer timers fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export interface RateLimiterOptions extends RateLimits {
  queueMax: number;
  /** Undefined: other processes do not matter. */
  lease?: ProviderLease | undefined;
}

export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  const { gapMs, concurrencyMax, queueMax, lease } = options;
  const state: State = {
    gapMs,
    concurrencyMax,
    lease,
    running: 0,
    startMin: 0,
    starts: [],
    queue: [],
    timer: undefined,
    isAcquiring: false,
  };
  return {
    waitMs: () => earliestStart(state, state.queue.length) - performance.now(),
    run(work, request) {
      if (state.queue.length >= queueMax) return Promise.reject(new LaneSkip('queue_full'));
      if (request.signal.aborted) return Promise.reject(new LaneSkip('no_time'));
      return new Promise((resolve, reject) => {
        const cancel = (): void => dropWhere(state, (other) => other === waiting, 'no_time');
        const waiting: Waiting = {
          ...request,
          skip(reason) {
            request.signal.removeEventListener('abort', cancel);
            reject(new LaneSkip(reason));
          },
          start() {
            request.signal.removeEventListener('abort', cancel);
            const done = work();
            done.then(resolve, reject);
            return done.then(() => {});
          },
        };
        request.signal.addEventListener('abort', cancel, { once: true });
        state.queue.push(waiting);
        advance(state);
      });
    },
    tighten(limits) {
      state.gapMs = Math.max(gapMs, limits.gapMs ?? 0);
      state.concurrencyMax = Math.min(concurrencyMax, limits.concurrencyMax ?? concurrencyMax);
    },
    delay(delayMs, reason) {
      state.startMin = Math.max(state.startMin, performance.now() + delayMs);
      dropTooLate(state, reason);
      advance(state);
    },
    dropTooLate: () => dropTooLate(state, 'throttled'),
    dropAll: (reason) => dropWhere(state, () => true, reason),
  };
}

/** The earliest start of the request at this position of the queue (performance.now()). */
function earliestStart(state: State, position: number): number {
  const { gapMs, concurrencyMax, running, startMin, lease } = state;
  const now = performance.now();
  const isAwaitingEnd = running > 0 && concurrencyMax === 1;
  const leaseMs = isAwaitingEnd ? 0 : (lease?.waitMs() ?? 0);
  const first = Math.max(now + leaseMs, startMin, isAwaitingEnd ? now + gapMs : 0);
  const starts = [...state.starts];
  for (let ahead = 0; ahead <= position; ahead++) {
    starts.push(Math.max(first, windowEnd({ ...state, starts })));
  }
  return starts.at(-1) as number;
}

/** When the sliding window has room for one more start. */
function windowEnd({ starts, gapMs, concurrencyMax }: State): number {
  const oldest = starts.at(-concurrencyMax);
  return oldest === undefined ? 0 : oldest + concurrencyMax * gapMs;
}

/** Starts what the limits allow now, and sets a timer for the next start. */
function advance(state: State): void {
  clearTimeout(state.timer);
  // The answer to the attempt goes on from here.
  if (state.isAcquiring) return;
  while (state.queue.length > 0 && state.running < state.concurrencyMax) {
    const waitMs = Math.ceil(startMinOf(state) - performance.now());
    if (waitMs > 0) {
      advanceIn(state, Math.min(waitMs, TIMER_MS_MAX));
      return;
    }
    const acquired = state.lease?.acquire() ?? 0;
    if (typeof acquired !== 'number') {
      state.isAcquiring = true;
      void acquired.then((leaseMs) => onLeaseAnswer(state, leaseMs));
      return;
    }
    if (acquired > 0) {
      advanceIn(state, Math.min(Math.ceil(acquired), LEASE_POLL_MS));
      return;
    }
    startNext(state);
  }
}

function startMinOf(state: State): number {
  return Math.max(state.startMin, windowEnd(state));
}

function advanceIn(state: State, waitMs: number): void {
  state.timer = setTimeout(() => advance(state), waitMs);
}

/** Goes on when the answer of a shared lease arrives. Meanwhile the queue may have changed. */
function onLeaseAnswer(state: State, leaseMs: number): void {
  state.isAcquiring = false;
  if (leaseMs > 0) {
    advanceIn(state, Math.min(Math.ceil(leaseMs), LEASE_POLL_MS));
    return;
  }
  if (state.queue.length > 0 && startMinOf(state) <= performance.now()) {
    startNext(state);
    return;
  }
  // Nothing was sent, so others need not wait for the gap.
  state.lease?.release(0);
  advance(state);
}

function startNext(state: State): void {
  state.running++;
  state.starts.push(performance.now());
  if (state.starts.length > state.concurrencyMax) state.starts.shift();
  const onEnd = (marginMs: number): void => {
    state.running--;
    if (state.concurrencyMax === 1) {
      state.startMin = Math.max(state.startMin, performance.now() + state.gapMs + marginMs);
    }
    state.lease?.release(state.gapMs + marginMs);
    advance(state);
  };
  void state.queue
    .shift()
    ?.start()
    .then(
      () => onEnd(0),
      () => onEnd(LOST_REQUEST_MARGIN_MS),
    );
}

function dropTooLate(state: State, reason: SkipReason): void {
  const isTooLate = (waiting: Waiting, position: number): boolean =>
    earliestStart(state, position) > waiting.startMax();
  dropWhere(state, isTooLate, reason);
}

function dropWhere(
  state: State,
  isDropped: (waiting: Waiting, position: number) => boolean,
  reason: SkipReason,
): void {
  const dropped = new Set(state.queue.filter(isDropped));
  state.queue = state.queue.filter((waiting) => !dropped.has(waiting));
  for (const waiting of dropped) waiting.skip(reason);
}
