/**
 * When a provider must be left alone: it asked us to (`Retry-After`, a spent quota, a block), or our
 * own daily cap is reached. Backoffs are in the records, so other processes keep to them, and so
 * does this one after a restart.
 */

import type { LaneFailure, SkipReason } from '../lane/lane-errors.ts';
import { type BackoffRecord, DAY_MS, type ProviderRecords } from '../records/lane-records.ts';

export interface BackoffLimits {
  laneBackoffMs: number;
  laneBackoffMsMax: number;
  laneBlockedMs: number;
  laneExhaustedMsMax: number;
}

/** Why a provider is not asked now. */
export interface Unavailability {
  reason: SkipReason;
  /** It lasts at least this long. */
  forMs: number;
}

export interface BackoffDeps {
  limits: BackoffLimits;
  records: ProviderRecords;
  /** The provider's name, for its request count. */
  name: string;
  /** The key of its backoffs in the records. */
  subject: string;
  /** Requests in a day. 0: no cap. */
  requestsPerDayMax: number;
  /** Called with every new backoff, so that queued requests can be rejected. */
  onUnavailable: (unavailability: Unavailability) => void;
}

export interface Backoff {
  /** The backoff in force. Undefined: none. */
  current(): Unavailability | undefined;
  /** Starts a backoff of this length. */
  start(forMs: number): void;
  /** Starts the backoff that a failure calls for, if any. */
  onFailure(failure: LaneFailure): void;
  /** Resets the exponential backoff after a response. */
  onResponse(): void;
}

export function createBackoff(deps: BackoffDeps): Backoff {
  const { limits, records, name, subject, requestsPerDayMax, onUnavailable } = deps;

  const keep = (reason: SkipReason, forMs: number, consecutive = 0): void => {
    const until = Date.now() + Math.min(forMs, limits.laneExhaustedMsMax);
    if (until <= (records.backoffOf(subject)?.until ?? 0)) return;
    records.setBackoff(subject, { reason, until, consecutive });
    onUnavailable({ reason, forMs: until - Date.now() });
  };
  const keepRateLimit = (forMs: number, consecutive = 0): void => {
    keep(forMs > limits.laneBackoffMsMax ? 'exhausted' : 'rate_limited', forMs, consecutive);
  };

  return {
    current() {
      const now = Date.now();
      const backoff = records.backoffOf(subject);
      const forMs = Math.min((backoff?.until ?? 0) - now, limits.laneExhaustedMsMax);
      if (backoff !== undefined && forMs > 0) return { reason: reasonOf(backoff), forMs };
      const isCapped = requestsPerDayMax > 0 && records.requestsToday(name) >= requestsPerDayMax;
      return isCapped ? { reason: 'capped', forMs: DAY_MS - (now % DAY_MS) } : undefined;
    },
    start: (forMs) => keepRateLimit(forMs),
    onFailure({ reason, retryAfterMs }) {
      if (reason === 'refused') keep('refused', limits.laneBlockedMs);
      if (reason !== 'rate_limited') return;
      const consecutive = records.backoffOf(subject)?.consecutive ?? 0;
      const doubledMs = Math.min(limits.laneBackoffMs * 2 ** consecutive, limits.laneBackoffMsMax);
      keepRateLimit(retryAfterMs ?? doubledMs, consecutive + 1);
    },
    onResponse() {
      const backoff = records.backoffOf(subject);
      if (backoff !== undefined && backoff.until <= Date.now()) records.clearBackoff(subject);
    },
  };
}

/** A later version may have written a reason that this one does not know. */
function reasonOf({ reason }: BackoffRecord): SkipReason {
  return reason === 'exhausted' || reason === 'refused' ? reason : 'rate_limited';
}
