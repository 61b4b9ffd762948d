/**
 * A circuit breaker: after so many failures in a row it opens, and nobody is let through for a
 * while; then one request tries, and its outcome closes the breaker or opens it again. An outcome
 * that says nothing of the provider does neither: the next request tries.
 */

/** What came of a request, as far as it tells how the provider is doing. */
export type RequestOutcome = 'answered' | 'failed' | 'unknown';

export interface CircuitBreaker {
  /** How long nobody is let through: Infinity during a try; undefined where it is not open. */
  openForMs(): number | undefined;
  /** When the next request may try (milliseconds since 1970); undefined where it is closed. */
  openUntil(): number | undefined;
  /** Lets a request through, which must tell what came of it; undefined where it is open. */
  acquire(): ((verdict: RequestOutcome) => void) | undefined;
}

export interface CircuitBreakerLimits {
  laneFailuresMax: number;
  laneBreakMs: number;
}

/** `onBreak` is told each time that it opens. */
export function createCircuitBreaker(
  { laneFailuresMax, laneBreakMs }: CircuitBreakerLimits,
  onBreak: () => void,
): CircuitBreaker {
  let failuresInARow = 0;
  let openUntil: number | undefined;
  let isTrying = false;

  const open = (): void => {
    openUntil = Date.now() + laneBreakMs;
    onBreak();
  };
  const endTry = (verdict: RequestOutcome): void => {
    isTrying = false;
    if (verdict === 'failed') open();
    if (verdict !== 'answered') return;
    openUntil = undefined;
    failuresInARow = 0;
  };
  const count = (verdict: RequestOutcome): void => {
    // Sent before the breaker opened: it is the try that decides now.
    if (openUntil !== undefined) return;
    if (verdict === 'answered') failuresInARow = 0;
    if (verdict === 'failed' && ++failuresInARow >= laneFailuresMax) open();
  };
  const openForMs = (): number | undefined => {
    if (openUntil === undefined) return undefined;
    if (isTrying) return Infinity;
    const forMs = openUntil - Date.now();
    return forMs > 0 ? forMs : undefined;
  };
  return {
    openForMs,
    openUntil: () => openUntil,
    acquire() {
      if (openForMs() !== undefined) return undefined;
      if (openUntil === undefined) return count;
      isTrying = true;
      return endTry;
    },
  };
}
