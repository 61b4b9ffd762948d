/** Bearer authentication and the rate-limit headers of authenticated responses. */
import { VerbatimError } from '../errors.ts';
import type { ApiKey, KeyReader } from '../store/accounts/api-keys.ts';
import type { RateState } from './rate-limiter.ts';
import type { Headers } from './responses.ts';
import type { ServiceDeps } from './service-deps.ts';

const BEARER = /^bearer +(\S+)$/i;

/** The name of the only quota policy, and its window. */
const POLICY = 'default';
const WINDOW_SECONDS = 60;

/** Returns the valid key of an `Authorization` header: its own, or that of its token. */
export function authenticate(
  authorization: string,
  keys: KeyReader,
  now: number,
): ApiKey | undefined {
  const secret = BEARER.exec(authorization.trim())?.[1];
  return secret === undefined ? undefined : keys.authenticate(secret, now);
}

/**
 * Returns the `WWW-Authenticate` value for a request without a valid key. It names an error only if
 * the client sent a token (RFC 6750, section 3.1), and where clients read how to get one (RFC 9728,
 * section 5.1).
 */
export function bearerChallenge(authorization: string, metadataUrl?: string): string {
  const hasToken = /^bearer +\S/i.test(authorization.trim());
  const error = hasToken ? ', error="invalid_token"' : '';
  const metadata = metadataUrl === undefined ? '' : `, resource_metadata="${metadataUrl}"`;
  return `Bearer realm="verbatim"${error}${metadata}`;
}

/** Counts one request against the key's rate: its own, or the server's default. */
export function consumeRate(deps: ServiceDeps, key: ApiKey): RateState {
  const perMinute = key.requestsPerMinute ?? deps.settings.requestsPerMinute;
  return deps.rates.take(key.id, perMinute, deps.now());
}

/** Throws `rate_limited` with the seconds to wait if the request exceeds the rate. */
export function assertAllowed(rate: RateState): void {
  const error = rateError(rate);
  if (error !== undefined) throw error;
}

/** Returns the same error; undefined if the request is within the rate. */
export function rateError({ allowed, resetSeconds }: RateState): VerbatimError | undefined {
  if (allowed) return undefined;
  const retryAfterSeconds = Math.max(1, resetSeconds);
  return new VerbatimError('rate_limited', undefined, { retryAfterSeconds });
}

/**
 * Returns the rate-limit headers that every authenticated response carries: the three widely used
 * ones, and the two structured fields of draft-ietf-httpapi-ratelimit-headers-11.
 */
export function rateHeaders({ limit, remaining, resetSeconds }: RateState): Headers {
  return {
    'RateLimit-Policy': `"${POLICY}";q=${limit};w=${WINDOW_SECONDS}`,
    RateLimit: `"${POLICY}";r=${remaining};t=${resetSeconds}`,
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetSeconds),
  };
}
