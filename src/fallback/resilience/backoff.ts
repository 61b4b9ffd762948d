/**
 * When a provider is left alone because it asked for that, or because our own cap of its requests
 * in a day is reached. All of it is in the records: other processes keep to it, and so does this
 * one after a restart.
 */
import type { LaneFailure, SkipReason } from '../lane/lane-errors.ts';
import { DAY_MS, type Pause, type ProviderRecords } from './in-memory-records.ts';

export interface BackoffLimits {
  lanePauseMs: number;
  lanePauseMsMax: number;
  laneBlockedMs: number;
  laneExhaustedMsMax: number;
}

export interface Unavailability {
  reason: SkipReason;
  /** It lasts at least so long. */
  forMs: number;
}

export interface BackoffDeps {
  limits: BackoffLimits;
  records: ProviderRecords;
  /** The provider's name, and the subject of its pauses. */
  name: string;
  subject: string;
  /** Requests in a day; 0: no cap. */
  requestsPerDayMax: number;
  /** Told of every pause, for those who wait in the queue. */
  onUnavailable: (refusal: Unavailability) => void;
}

export interface Backoff {
  /** Undefined where there is none now. */
  current(): Unavailability | undefined;
  /** Not to be asked for so long. */
  start(forMs: number): void;
  /** Begins the pause that a failure calls for. */
  onFailure(failure: LaneFailure): void;
  /** The provider has answered: the next pause is as short as the first. */
  onResponse(): void;
}

export function createBackoff(deps: BackoffDeps): Backoff {
  const { limits, records, name, subject, requestsPerDayMax, onUnavailable: onPause } = deps;

  const keep = (reason: SkipReason, forMs: number, inARow = 0): void => {
    const until = Date.now() + Math.min(forMs, limits.laneExhaustedMsMax);
    if (until <= (records.pauseOf(subject)?.until ?? 0)) return;
    records.setPause(subject, { reason, until, inARow });
    onPause({ reason, forMs: until - Date.now() });
  };
  const keepRateLimit = (forMs: number, inARow = 0): void => {
    keep(forMs > limits.lanePauseMsMax ? 'exhausted' : 'rate_limited', forMs, inARow);
  };

  return {
    current() {
      const now = Date.now();
      const paused = records.pauseOf(subject);
      const forMs = Math.min((paused?.until ?? 0) - now, limits.laneExhaustedMsMax);
      if (paused !== undefined && forMs > 0) return { reason: reasonOf(paused), forMs };
      const isCapped = requestsPerDayMax > 0 && records.requestsToday(name) >= requestsPerDayMax;
      return isCapped ? { reason: 'capped', forMs: DAY_MS - (now % DAY_MS) } : undefined;
    },
    start: (forMs) => keepRateLimit(forMs),
    onFailure({ reason, retryAfterMs }) {
      if (reason === 'refused') keep('refused', limits.laneBlockedMs);
      if (reason !== 'rate_limited') return;
      const inARow = records.pauseOf(subject)?.inARow ?? 0;
      const doubledMs = Math.min(limits.lanePauseMs * 2 ** inARow, limits.lanePauseMsMax);
      keepRateLimit(retryAfterMs ?? doubledMs, inARow + 1);
    },
    onResponse() {
      const paused = records.pauseOf(subject);
      if (paused !== undefined && paused.until <= Date.now()) records.clearPause(subject);
    },
  };
}

/** A pause that a newer version may have written counts too. */
function reasonOf({ reason }: Pause): SkipReason {
  return reason === 'exhausted' || reason === 'refused' ? reason : 'rate_limited';
}
