/** Bearer authentication, and what every authenticated answer says about the key's rate. */
import { VerbatimError } from '../errors.ts';
import type { ApiKey, KeyReader } from '../store/accounts/api-keys.ts';
import type { RateState } from './rate-limiter.ts';
import type { Headers } from './responses.ts';
import type { ServiceDeps } from './service-deps.ts';

const BEARER = /^bearer +(\S+)$/i;

/** The valid key of an `Authorization` header, if it has one. */
export function authenticate(
  authorization: string,
  keys: KeyReader,
  now: number,
): ApiKey | undefined {
  const secret = BEARER.exec(authorization.trim())?.[1];
  return secret === undefined ? undefined : keys.authenticate(secret, now);
}

/**
 * The value of `WWW-Authenticate` for an `Authorization` header without a valid key. It names an
 * error only to those who sent a token (RFC 6750, section 3.1).
 */
export function bearerChallenge(authorization: string): string {
  const hasToken = /^bearer +\S/i.test(authorization.trim());
  return `Bearer realm="verbatim"${hasToken ? ', error="invalid_token"' : ''}`;
}

/** Uses up a request of the key's rate, its own or the one for all. */
export function consumeRate(deps: ServiceDeps, key: ApiKey): RateState {
  const perMinute = key.requestsPerMinute ?? deps.settings.requestsPerMinute;
  return deps.rates.take(key.id, perMinute, deps.now());
}

/** Throws `rate_limited`, with the time to wait, where the rate was used up already. */
export function assertAllowed({ allowed, resetSeconds }: RateState): void {
  if (allowed) return;
  const retryAfterSeconds = Math.max(1, resetSeconds);
  throw new VerbatimError('rate_limited', undefined, { retryAfterSeconds });
}

/** The rate headers of specification 7, on every authenticated answer. */
export function rateHeaders({ limit, remaining, resetSeconds }: RateState): Headers {
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetSeconds),
  };
}
