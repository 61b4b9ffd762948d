/** Why a lane has nothing to give: words for reports, never addresses, keys or texts of others. */

/** It was asked, and this came of it. */
export type FailureReason =
  | 'timeout'
  | 'unreachable'
  | 'bad_redirect'
  | 'too_large'
  | 'bad_answer'
  | 'bad_query'
  | 'engines_down'
  | 'server_error'
  | 'rate_limited'
  | 'refused'
  | 'internal';

/** It was not asked at all. */
export type SkipReason =
  | 'no_words'
  | 'no_time'
  | 'queue_full'
  | 'circuit_open'
  | 'rate_limited'
  | 'exhausted'
  | 'capped'
  | 'refused'
  | 'closed';

/** Thrown where a provider was asked in vain. */
export class LaneFailure extends Error {
  readonly reason: FailureReason;
  /** How long the provider wants to be left alone, where it says so. */
  readonly retryAfterMs: number | undefined;

  constructor(reason: FailureReason, message: string, retryAfterMs?: number) {
    super(message);
    this.name = 'LaneFailure';
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Thrown where a provider is not asked. */
export class LaneSkip extends Error {
  readonly reason: SkipReason;

  constructor(reason: SkipReason) {
    super(reason);
    this.name = 'LaneSkip';
    this.reason = reason;
  }
}

/** Thrown where a provider was asked, and its answer is not waited for any longer. */
export class LaneLate extends Error {
  constructor() {
    super('no answer within the time of the search');
    this.name = 'LaneLate';
  }
}
