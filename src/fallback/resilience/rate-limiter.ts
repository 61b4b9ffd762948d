/**
 * The order in which requests to one provider are sent: first come first served, at most so many
 * at a time, with a pause between them, in a queue with a bound.
 *
 * Where only one request runs at a time the pause counts from its end: the provider then sees the
 * starts of two at least that far apart, however long each was under way. Where several may run, it
 * is a sliding window, as providers state it: n may start at once, and then no more than n in the
 * time of n pauses.
 *
 * How long a request must wait at least is known before it joins the queue; that is what queues
 * from a library do not tell, and what lets a lane be skipped at once.
 */

import { LaneSkip, type SkipReason } from '../lane/lane-errors.ts';
import type { RateLimits } from '../lane/provider.ts';

export interface QueuedRequest {
  /** Leaves the queue when it is aborted. */
  signal: AbortSignal;
  /** When waiting for the turn is no use any more (performance.now()). */
  startMax(): number;
}

/**
 * The turns at a provider that sees one request at a time, whichever process sends it. See
 * ProviderRecords.
 */
export interface ProviderLease {
  waitMs(): number;
  acquire(): number;
  release(gapMs: number): void;
}

export interface RateLimiter {
  /** How long one more request would wait at least. */
  waitMs(): number;
  /** Runs `work` when its turn comes. Throws a LaneSkip where it does not come. */
  run<Result>(work: () => Promise<Result>, turn: QueuedRequest): Promise<Result>;
  /** Slower than the settings where the provider says so, never faster. */
  tighten(limits: Partial<RateLimits>): void;
  /** Nothing starts for so long; whoever cannot wait that long is told at once. */
  delay(delayMs: number, reason: SkipReason): void;
  /** Tells those whose turn would come too late that it will not come. */
  dropTooLate(): void;
  /** Tells all that wait that their turn will not come. */
  dropAll(reason: SkipReason): void;
}

interface Waiting extends QueuedRequest {
  start(): Promise<void>;
  skip(reason: SkipReason): void;
}

interface State extends RateLimits {
  lease: ProviderLease | undefined;
  running: number;
  /** Nothing may start before. */
  startMin: number;
  /** When the latest ones started, oldest first: as many as the window needs. */
  starts: number[];
  queue: Waiting[];
  timer: NodeJS.Timeout | undefined;
}

/**
 * A request that got no answer may still be on its way: the provider could see it later than we
 * gave it up, so the pause after it is longer.
 */
export const LOST_REQUEST_MARGIN_MS = 1_000;
/** How often it is looked whether the turn of another process has ended. */
const LEASE_POLL_MS = 100;
/** Longer timers fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export interface RateLimiterOptions extends RateLimits {
  queueMax: number;
  /** Undefined where other processes do not matter. */
  lease?: ProviderLease | undefined;
}

export function createRateLimiter({
  gapMs,
  concurrencyMax,
  queueMax,
  lease: turns,
}: RateLimiterOptions): RateLimiter {
  const state: State = {
    gapMs,
    concurrencyMax,
    lease: turns,
    running: 0,
    startMin: 0,
    starts: [],
    queue: [],
    timer: undefined,
  };
  return {
    waitMs: () => earliestStart(state, state.queue.length) - performance.now(),
    run(work, turn) {
      if (state.queue.length >= queueMax) return Promise.reject(new LaneSkip('queue_full'));
      if (turn.signal.aborted) return Promise.reject(new LaneSkip('no_time'));
      return new Promise((resolve, reject) => {
        const leave = (): void => dropWhere(state, (other) => other === waiting, 'no_time');
        const waiting: Waiting = {
          ...turn,
          skip(reason) {
            turn.signal.removeEventListener('abort', leave);
            reject(new LaneSkip(reason));
          },
          start() {
            turn.signal.removeEventListener('abort', leave);
            const done = work();
            done.then(resolve, reject);
            return done.then(() => {});
          },
        };
        turn.signal.addEventListener('abort', leave, { once: true });
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
    dropTooLate: () => dropTooLate(state, 'no_time'),
    dropAll: (reason) => dropWhere(state, () => true, reason),
  };
}

/** When the request at this place of the queue can start at the earliest. */
function earliestStart(state: State, place: number): number {
  const { gapMs, concurrencyMax, running, startMin, lease: turns } = state;
  const now = performance.now();
  const isAwaitingEnd = running > 0 && concurrencyMax === 1;
  const othersMs = isAwaitingEnd ? 0 : (turns?.waitMs() ?? 0);
  const first = Math.max(now + othersMs, startMin, isAwaitingEnd ? now + gapMs : 0);
  const starts = [...state.starts];
  for (let ahead = 0; ahead <= place; ahead++) {
    starts.push(Math.max(first, windowEnd({ ...state, starts })));
  }
  return starts.at(-1) as number;
}

/** When the window of the latest starts has room for one more. */
function windowEnd({ starts, gapMs, concurrencyMax }: State): number {
  const oldest = starts.at(-concurrencyMax);
  return oldest === undefined ? 0 : oldest + concurrencyMax * gapMs;
}

/** Starts whoever's turn it is, and comes back when it is the next one's. */
function advance(state: State): void {
  clearTimeout(state.timer);
  while (state.queue.length > 0 && state.running < state.concurrencyMax) {
    const startMin = Math.max(state.startMin, windowEnd(state));
    const waitMs = Math.ceil(startMin - performance.now());
    if (waitMs > 0) {
      state.timer = setTimeout(() => advance(state), Math.min(waitMs, TIMER_MS_MAX));
      return;
    }
    const othersMs = state.lease?.acquire() ?? 0;
    if (othersMs > 0) {
      const againMs = Math.min(Math.ceil(othersMs), LEASE_POLL_MS);
      state.timer = setTimeout(() => advance(state), againMs);
      return;
    }
    startNext(state);
  }
}

function startNext(state: State): void {
  state.running++;
  state.starts.push(performance.now());
  if (state.starts.length > state.concurrencyMax) state.starts.shift();
  const ended = (marginMs: number): void => {
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
      () => ended(0),
      () => ended(LOST_REQUEST_MARGIN_MS),
    );
}

function dropTooLate(state: State, reason: SkipReason): void {
  const isTooLate = (waiting: Waiting, place: number): boolean =>
    earliestStart(state, place) > waiting.startMax();
  dropWhere(state, isTooLate, reason);
}

function dropWhere(
  state: State,
  isDropped: (waiting: Waiting, place: number) => boolean,
  reason: SkipReason,
): void {
  const dropped = new Set(state.queue.filter(isDropped));
  state.queue = state.queue.filter((waiting) => !dropped.has(waiting));
  for (const waiting of dropped) waiting.skip(reason);
}
