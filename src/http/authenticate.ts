/** Bearer authentication and the rate-limit headers of authenticated responses. */
import type { RateState } from '../accounts/ports/key-rate-limiter.ts';
import { VerbatimError } from '../errors.ts';
import type { Headers } from './responses.ts';

const BEARER = /^bearer +(\S+)$/i;

/** The name of the only quota policy, and its window. */
const POLICY = 'default';
const WINDOW_SECONDS = 60;

/** Returns the secret or the token of an `Authorization` header; undefined if there is none. */
export function bearerSecret(authorization: string): string | undefined {
  return BEARER.exec(authorization.trim())?.[1];
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

/** Throws `rate_limited` with the seconds to wait if the request exceeds the rate. */
export function assertAllowed(rate: RateState): void {
  if (!rate.allowed) throw rateError(rate);
}

/** Returns the error for a request that exceeds the rate. */
export function rateError({ resetSeconds }: RateState): VerbatimError {
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
