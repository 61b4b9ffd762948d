/** What a customer is told of a key's life. Pure. */
import { type ApiKey, isRevoked } from '../../store/accounts/keys.ts';

/** `ending`: replaced by another key, works on for the grace that it was given. */
export type KeyState = 'valid' | 'ending' | 'revoked';

export function keyState(key: ApiKey, now: number): KeyState {
  if (key.revokedAt === null) return 'valid';
  return isRevoked(key, now) ? 'revoked' : 'ending';
}
