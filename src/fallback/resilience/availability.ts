/**
 * How a provider has been doing, and so whether it is asked: its pauses, and a breaker over its
 * failures in a row. Only what the provider did counts: a search that could not wait tells nothing
 * of it.
 */

import type { LaneState } from '../lane/lane.ts';
import { type FailureReason, LaneFailure, LaneSkip } from '../lane/lane-errors.ts';
import {
  type BackoffDeps,
  type BackoffLimits,
  createBackoff,
  type Unavailability,
} from './backoff.ts';
import { type CircuitBreakerLimits, createCircuitBreaker } from './circuit-breaker.ts';

export interface AvailabilityLimits extends CircuitBreakerLimits, BackoffLimits {}

export interface Availability {
  /** Why it is not asked now; undefined: ask. */
  current(): Unavailability | undefined;
  /** The same without the breaker, for a request that has passed it. */
  backoff(): Unavailability | undefined;
  /** Runs a request behind the breaker. Throws a LaneSkip where it is open. */
  run<Result>(request: () => Promise<Result>): Promise<Result>;
  /** Not to be asked for so long. */
  startBackoff(forMs: number): void;
  /** What /health shows; times in milliseconds since 1970. */
  state(): Pick<LaneState, 'state' | 'retryAt'>;
}

/** `onPause` is told of breaks too. */
export type AvailabilityDeps = BackoffDeps & { limits: AvailabilityLimits };

/** What the breaker counts. "Too many requests" has pauses instead, and a bad query is no fault. */
const countedFailures: ReadonlySet<FailureReason> = new Set([
  ...(['timeout', 'unreachable', 'server_error', 'bad_answer'] as const),
  ...(['too_large', 'bad_redirect', 'engines_down'] as const),
]);

export function createAvailability(deps: AvailabilityDeps): Availability {
  const { limits, onUnavailable: onPause } = deps;
  const pauses = createBackoff(deps);
  const breaker = createCircuitBreaker(limits, () => {
    onPause({ reason: 'circuit_open', forMs: limits.laneBreakMs });
  });
  let failuresInARow = 0;
  return {
    backoff: () => pauses.current(),
    current() {
      const paused = pauses.current();
      if (paused !== undefined) return paused;
      const forMs = breaker.openForMs();
      return forMs === undefined ? undefined : { reason: 'circuit_open', forMs };
    },
    async run(request) {
      const leave = breaker.acquire();
      if (leave === undefined) throw new LaneSkip('circuit_open');
      try {
        const result = await request();
        leave('answered');
        failuresInARow = 0;
        pauses.onResponse();
        return result;
      } catch (error) {
        leave(isCounted(error) ? 'failed' : 'unknown');
        if (error instanceof LaneFailure) {
          failuresInARow++;
          pauses.onFailure(error);
        }
        throw error;
      }
    },
    startBackoff: (forMs) => pauses.start(forMs),
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
