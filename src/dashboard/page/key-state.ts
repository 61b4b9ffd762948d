/** The state of a key as customers see it. */
import { listCustomerKeys } from '../../accounts/customer-keys.ts';
import { type ApiKey, isRevoked } from '../../accounts/sql/api-keys.ts';
import type { OwnKey } from '../../accounts/sql/own-keys.ts';
import { VerbatimError } from '../../errors.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import type { CustomerCall } from './page.ts';

/**
 * `ending`: replaced by another key and still in its grace period. `expired`: past the day that its
 * customer chose.
 */
export type KeyState = 'valid' | 'ending' | 'revoked' | 'expired';

export function keyState(key: ApiKey, now: number): KeyState {
  if (key.revokedAt === null) return 'valid';
  const isExpiry = key.revokedAt === key.expiresAt;
  if (isRevoked(key, now)) return isExpiry ? 'expired' : 'revoked';
  // The key of a client always has an end, which each use of it moves.
  return key.client === null && !isExpiry ? 'ending' : 'valid';
}

/**
 * Finds the key that a page is about. Throws `not_found` if the customer has no such key, or it is
 * revoked or expired.
 */
export async function keyInUse({ accounts }: DashboardDeps, call: CustomerCall): Promise<OwnKey> {
  const now = accounts.now();
  const keys = await listCustomerKeys(accounts, call.session.customer.id);
  const key = keys.find((own) => own.prefix === call.parameters['prefix'] && !isRevoked(own, now));
  if (key === undefined) throw new VerbatimError('not_found');
  return key;
}

/** Returns the keys with which the customer can search. */
export async function usableKeys(
  { accounts }: DashboardDeps,
  customerId: number,
): Promise<OwnKey[]> {
  const now = accounts.now();
  const keys = await listCustomerKeys(accounts, customerId);
  return keys.filter((key) => !isRevoked(key, now));
}
