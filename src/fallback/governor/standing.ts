/**
 * How a provider has been doing, and so whether it is asked: its pauses, and a breaker over its
 * failures in a row. Only what the provider did counts: a search that could not wait tells nothing
 * of it.
 */

import { type FailureReason, LaneFailure, LaneSkip } from '../lanes/failure.ts';
import type { LaneState } from '../lanes/lane.ts';
import { type BreakerLimits, createBreaker } from './breaker.ts';
import { createPauses, type PauseLimits, type PausesDeps, type Refusal } from './pauses.ts';

export interface StandingLimits extends BreakerLimits, PauseLimits {}

export interface Standing {
  /** Why it is not asked now; undefined: ask. */
  refusal(): Refusal | undefined;
  /** The same without the breaker, for a request that has passed it. */
  pause(): Refusal | undefined;
  /** Runs a request behind the breaker. Throws a LaneSkip where it is open. */
  guard<Result>(request: () => Promise<Result>): Promise<Result>;
  /** Not to be asked for so long. */
  beginPause(forMs: number): void;
  /** What /health shows; times in milliseconds since 1970. */
  state(): Pick<LaneState, 'state' | 'retryAt'>;
}

/** `onPause` is told of breaks too. */
export type CircuitBreakerDeps = PausesDeps & { limits: StandingLimits };

/** What the breaker counts. "Too many requests" has pauses instead, and a bad query is no fault. */
const countedFailures: ReadonlySet<FailureReason> = new Set([
  ...(['timeout', 'unreachable', 'server_error', 'bad_answer'] as const),
  ...(['too_large', 'bad_redirect', 'engines_down'] as const),
]);

export function createStanding(deps: CircuitBreakerDeps): Standing {
  const { limits, onPause } = deps;
  const pauses = createPauses(deps);
  const breaker = createBreaker(limits, () => {
    onPause({ reason: 'circuit_open', forMs: limits.laneBreakMs });
  });
  let failuresInARow = 0;
  return {
    pause: () => pauses.current(),
    refusal() {
      const paused = pauses.current();
      if (paused !== undefined) return paused;
      const forMs = breaker.openForMs();
      return forMs === undefined ? undefined : { reason: 'circuit_open', forMs };
    },
    async guard(request) {
      const leave = breaker.enter();
      if (leave === undefined) throw new LaneSkip('circuit_open');
      try {
        const result = await request();
        leave('answered');
        failuresInARow = 0;
        pauses.learnAnswer();
        return result;
      } catch (error) {
        leave(isCounted(error) ? 'failed' : 'unknown');
        if (error instanceof LaneFailure) {
          failuresInARow++;
          pauses.learnFailure(error);
        }
        throw error;
      }
    },
    beginPause: (forMs) => pauses.begin(forMs),
    state() {
      const paused = pauses.current();
      if (paused !== undefined) {
        const isShort = paused.reason === 'rate_limited';
        return { state: isShort ? 'degraded' : 'exhausted', retryAt: Date.now() + paused.forMs };
      }
      const openUntil = breaker.openUntil();
      if (openUntil !== undefined) {
        return { state: 'open', retryAt: openUntil > Date.now() ? openUntil : undefined };
      }
      return { state: failuresInARow > 0 ? 'degraded' : 'ok', retryAt: undefined };
    },
  };
}

function isCounted(error: unknown): boolean {
  return error instanceof LaneFailure && countedFailures.has(error.reason);
}
