/** Why a lane returned nothing: words for reports, never addresses, keys, or text of others. */

/** The provider was asked, and the request failed. */
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

/** The provider was not asked. */
export type SkipReason =
  | 'no_words'
  | 'no_look_up'
  | 'no_time'
  | 'throttled'
  | 'queue_full'
  | 'circuit_open'
  | 'rate_limited'
  | 'exhausted'
  | 'capped'
  | 'refused'
  | 'closed';

/** A request to a provider failed. */
export class LaneFailure extends Error {
  readonly reason: FailureReason;
  /** How long the provider asks us to wait, if it says so. */
  readonly retryAfterMs: number | undefined;

  constructor(reason: FailureReason, message: string, retryAfterMs?: number) {
    super(message);
    this.name = 'LaneFailure';
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** A provider is not asked. */
export class LaneSkip extends Error {
  readonly reason: SkipReason;

  constructor(reason: SkipReason) {
    super(reason);
    this.name = 'LaneSkip';
    this.reason = reason;
  }
}

/** A provider was asked, but its response did not arrive before the search had to go on. */
export class LaneLate extends Error {
  constructor() {
    super('no response within the time of the search');
    this.name = 'LaneLate';
  }
}
