/**
 * A circuit breaker. Closed, it lets every request through; a number of failures in a row opens it.
 * Open, it lets none through for a while. Half-open, it lets one probe through, whose outcome closes
 * it or opens it again. A probe whose outcome says nothing about the provider does neither, and the
 * next request is the probe.
 */

/** What a request says about its provider. `unknown`: nothing. */
export type RequestOutcome = 'answered' | 'failed' | 'unknown';

export interface CircuitBreaker {
  /** How long no request gets through. Infinity during a probe; undefined unless open. */
  openForMs(): number | undefined;
  /** When the next probe may start (milliseconds since 1970). Undefined while closed. */
  openUntil(): number | undefined;
  /** Lets a request through and returns the callback for its outcome. Undefined while open. */
  acquire(): ((outcome: RequestOutcome) => void) | undefined;
}

export interface CircuitBreakerLimits {
  laneFailuresMax: number;
  laneCircuitOpenMs: number;
}

/** `onOpen` is called each time that the circuit opens. */
export function createCircuitBreaker(
  { laneFailuresMax, laneCircuitOpenMs }: CircuitBreakerLimits,
  onOpen: () => void,
): CircuitBreaker {
  let consecutiveFailures = 0;
  let openUntil: number | undefined;
  let isProbing = false;

  const open = (): void => {
    openUntil = Date.now() + laneCircuitOpenMs;
    onOpen();
  };
  const endProbe = (outcome: RequestOutcome): void => {
    isProbing = false;
    if (outcome === 'failed') open();
    if (outcome !== 'answered') return;
    openUntil = undefined;
    consecutiveFailures = 0;
  };
  const count = (outcome: RequestOutcome): void => {
    // A request from before the circuit opened. Only the probe decides now.
    if (openUntil !== undefined) return;
    if (outcome === 'answered') consecutiveFailures = 0;
    if (outcome === 'failed' && ++consecutiveFailures >= laneFailuresMax) open();
  };
  const openForMs = (): number | undefined => {
    if (openUntil === undefined) return undefined;
    if (isProbing) return Infinity;
    const forMs = openUntil - Date.now();
    return forMs > 0 ? forMs : undefined;
  };
  return {
    openForMs,
    openUntil: () => openUntil,
    acquire() {
      if (openForMs() !== undefined) return undefined;
      if (openUntil === undefined) return count;
      isProbing = true;
      return endProbe;
    },
  };
}
