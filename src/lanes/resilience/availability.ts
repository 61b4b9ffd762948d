/**
 * Whether a provider may be asked: its backoff, and a circuit breaker over its failures in a row.
 * Only what the provider did counts. A search that could not wait says nothing about it.
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
  /** Why the provider is not asked now. Undefined: it may be asked. */
  current(): Unavailability | undefined;
  /** The same without the circuit breaker, for a request that has passed it. */
  backoff(): Unavailability | undefined;
  /** Runs a request behind the circuit breaker. Throws a LaneSkip while it is open. */
  run<Result>(request: () => Promise<Result>): Promise<Result>;
  /** Starts a backoff of this length. */
  startBackoff(forMs: number): void;
  /** What `/health` shows. Times are in milliseconds since 1970. */
  state(): Pick<LaneState, 'state' | 'retryAt'>;
}

/** `onUnavailable` is called when the circuit opens, too. */
export type AvailabilityDeps = BackoffDeps & { limits: AvailabilityLimits };

/** What the circuit breaker counts. Rate limits have a backoff, and a bad query is no failure of the provider. */
const countedFailures: ReadonlySet<FailureReason> = new Set([
  ...(['timeout', 'unreachable', 'server_error', 'bad_answer'] as const),
  ...(['too_large', 'bad_redirect', 'engines_down'] as const),
]);

export function createAvailability(deps: AvailabilityDeps): Availability {
  const { limits, onUnavailable } = deps;
  const backoff = createBackoff(deps);
  const breaker = createCircuitBreaker(limits, () => {
    onUnavailable({ reason: 'circuit_open', forMs: limits.laneCircuitOpenMs });
  });
  let consecutiveFailures = 0;
  return {
    backoff: () => backoff.current(),
    current() {
      const backingOff = backoff.current();
      if (backingOff !== undefined) return backingOff;
      const forMs = breaker.openForMs();
      return forMs === undefined ? undefined : { reason: 'circuit_open', forMs };
    },
    async run(request) {
      const release = breaker.acquire();
      if (release === undefined) throw new LaneSkip('circuit_open');
      try {
        const result = await request();
        release('answered');
        consecutiveFailures = 0;
        backoff.onResponse();
        return result;
      } catch (error) {
        release(isCounted(error) ? 'failed' : 'unknown');
        if (error instanceof LaneFailure) {
          consecutiveFailures++;
          backoff.onFailure(error);
        }
        throw error;
      }
    },
    startBackoff: (forMs) => backoff.start(forMs),
    state() {
      const backingOff = backoff.current();
      if (backingOff !== undefined) {
        const isShort = backingOff.reason === 'rate_limited';
        const retryAt = Date.now() + backingOff.forMs;
        return { state: isShort ? 'degraded' : 'exhausted', retryAt };
      }
      const openUntil = breaker.openUntil();
      if (openUntil !== undefined) {
        return { state: 'open', retryAt: openUntil > Date.now() ? openUntil : undefined };
      }
      return { state: consecutiveFailures > 0 ? 'degraded' : 'ok', retryAt: undefined };
    },
  };
}

function isCounted(error: unknown): boolean {
  return error instanceof LaneFailure && countedFailures.has(error.reason);
}
