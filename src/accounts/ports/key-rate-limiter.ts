/**
 * A token bucket per key: a burst of `perMinute` requests, refilled at the same rate. The caller
 * passes the clock.
 */

export interface RateState {
  allowed: boolean;
  /** Requests a minute. */
  limit: number;
  /** Requests that may follow immediately. */
  remaining: number;
  /** Whole seconds until one more request is allowed; 0 if the bucket is full. */
  resetSeconds: number;
}

export interface RateLimiter {
  take(key: number, perMinute: number, nowMs: number): RateState;
}

interface Bucket {
  tokens: number;
  updatedMs: number;
}

const MINUTE_MS = 60_000;

/** Remembers at most `bucketsMax` keys and evicts the least recently seen. */
export function createRateLimiter(bucketsMax: number): RateLimiter {
  // A Map iterates in insertion order, so the first key is the least recently seen.
  const buckets = new Map<number, Bucket>();
  return {
    take(key, perMinute, nowMs) {
      const known = buckets.get(key);
      buckets.delete(key);
      const bucket = known ?? { tokens: perMinute, updatedMs: nowMs };
      const gained = ((nowMs - bucket.updatedMs) * perMinute) / MINUTE_MS;
      bucket.tokens = Math.min(perMinute, bucket.tokens + Math.max(0, gained));
      bucket.updatedMs = nowMs;
      const allowed = bucket.tokens >= 1;
      if (allowed) bucket.tokens -= 1;
      buckets.set(key, bucket);
      const [oldest] = buckets.keys();
      if (buckets.size > bucketsMax && oldest !== undefined) buckets.delete(oldest);
      return rateState({ allowed, tokens: bucket.tokens, perMinute });
    },
  };
}

/** What a bucket counts. */
interface Rate {
  allowed: boolean;
  /** Requests that may follow immediately, with fractions. */
  tokens: number;
  perMinute: number;
}

/** Returns a rate as responses report it. */
export function rateState({ allowed, tokens, perMinute }: Rate): RateState {
  const missing = Math.floor(tokens) + 1 - tokens;
  const resetSeconds = tokens >= perMinute ? 0 : Math.ceil((missing * 60) / perMinute);
  return { allowed, limit: perMinute, remaining: Math.floor(tokens), resetSeconds };
}
