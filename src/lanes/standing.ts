/**
 * How a provider has been doing, and so whether it is asked: a circuit breaker over failures in a
 * row, and pauses that it asked for. After a break one request tries it; the others are skipped
 * until that one is back.
 */
import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel';
import { type FailureReason, LaneFailure, LaneSkip, type SkipReason } from './failure.ts';
import type { LaneState } from './lane.ts';

export interface StandingLimits {
  laneFailuresMax: number;
  laneBreakMs: number;
  lanePauseMs: number;
  lanePauseMsMax: number;
  laneBlockedMs: number;
  laneExhaustedMsMax: number;
}

export interface Standing {
  /** Why it is not asked now, with the time that this lasts at least; undefined: ask. */
  refusal(): { reason: SkipReason; forMs: number } | undefined;
  /** Runs a request behind the breaker. Throws a LaneSkip where it is open. */
  guard<Result>(request: () => Promise<Result>): Promise<Result>;
  /** Not to be asked for so long. */
  pause(forMs: number): void;
  /** What /health shows; times in milliseconds since 1970. */
  state(): Pick<LaneState, 'state' | 'retryAt'>;
}

/** What the breaker counts. "Too many requests" has pauses instead, and a bad query is no fault. */
const countedFailures: ReadonlySet<FailureReason> = new Set([
  ...(['timeout', 'unreachable', 'server_error', 'bad_answer'] as const),
  ...(['too_large', 'bad_redirect', 'engines_down'] as const),
]);

/** `onPause` is told of every pause and break, for those who wait in the queue. */
export function createStanding(
  limits: StandingLimits,
  onPause: (reason: SkipReason, forMs: number) => void,
): Standing {
  const breaker = circuitBreaker(handleWhen(isCounted), {
    halfOpenAfter: limits.laneBreakMs,
    breaker: new ConsecutiveBreaker(limits.laneFailuresMax),
  });
  let openUntil = 0;
  let failuresInARow = 0;
  let rateLimitsInARow = 0;
  let paused: { reason: SkipReason; until: number } = { reason: 'rate_limited', until: 0 };
  breaker.onBreak(() => {
    openUntil = Date.now() + limits.laneBreakMs;
    onPause('circuit_open', limits.laneBreakMs);
  });

  const pauseFor = (reason: SkipReason, forMs: number): void => {
    const until = Date.now() + Math.min(forMs, limits.laneExhaustedMsMax);
    if (until <= paused.until) return;
    paused = { reason, until };
    onPause(reason, until - Date.now());
  };

  const pause = (forMs: number): void => {
    pauseFor(forMs > limits.lanePauseMsMax ? 'exhausted' : 'rate_limited', forMs);
  };

  const learn = (failure: LaneFailure): void => {
    failuresInARow++;
    if (failure.reason === 'refused') pauseFor('refused', limits.laneBlockedMs);
    if (failure.reason !== 'rate_limited') return;
    const doubledMs = Math.min(limits.lanePauseMs * 2 ** rateLimitsInARow++, limits.lanePauseMsMax);
    pause(failure.retryAfterMs ?? doubledMs);
  };

  return {
    refusal() {
      const now = Date.now();
      if (paused.until > now) return { reason: paused.reason, forMs: paused.until - now };
      const isTrying = breaker.state === CircuitState.HalfOpen;
      const isOpen = breaker.state === CircuitState.Open && openUntil > now;
      if (!isTrying && !isOpen) return undefined;
      return { reason: 'circuit_open', forMs: isTrying ? Infinity : openUntil - now };
    },
    async guard(request) {
      try {
        const result = await breaker.execute(request);
        failuresInARow = 0;
        rateLimitsInARow = 0;
        return result;
      } catch (error) {
        if (error instanceof LaneFailure) learn(error);
        throw error instanceof BrokenCircuitError ? new LaneSkip('circuit_open') : error;
      }
    },
    pause,
    state() {
      const now = Date.now();
      if (paused.until > now) {
        const isShort = paused.reason === 'rate_limited';
        return { state: isShort ? 'degraded' : 'exhausted', retryAt: paused.until };
      }
      if (breaker.state !== CircuitState.Closed) {
        return { state: 'open', retryAt: openUntil > now ? openUntil : undefined };
      }
      return { state: failuresInARow > 0 ? 'degraded' : 'ok', retryAt: undefined };
    },
  };
}

function isCounted(error: Error): boolean {
  return error instanceof LaneFailure && countedFailures.has(error.reason);
}
