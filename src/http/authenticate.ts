/** Bearer authentication, and what every authenticated answer says about the key's rate. */
import { VerbatimError } from '../errors.ts';
import type { ApiKey, KeyReader } from '../store/keys.ts';
import type { Headers } from './answers.ts';
import type { ServiceParts } from './parts.ts';
import type { RateState } from './rate-limiter.ts';

const BEARER = /^bearer +(\S+)$/i;

/** The valid key of an `Authorization` header. Throws `invalid_key`. */
export function authenticate(authorization: string, keys: KeyReader, now: number): ApiKey {
  const secret = BEARER.exec(authorization.trim())?.[1];
  const key = secret === undefined ? undefined : keys.authenticate(secret, now);
  if (key === undefined) throw new VerbatimError('invalid_key');
  return key;
}

/** Uses up a request of the key's rate, its own or the one for all. */
export function takeRate(parts: ServiceParts, key: ApiKey): RateState {
  const perMinute = key.requestsPerMinute ?? parts.settings.requestsPerMinute;
  return parts.rates.take(key.id, perMinute, parts.now());
}

/** The rate headers of specification 7, on every authenticated answer. */
export function rateHeaders({ limit, remaining, resetSeconds }: RateState): Headers {
  return {
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(resetSeconds),
  };
}
