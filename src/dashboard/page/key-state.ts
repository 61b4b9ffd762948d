/** What a customer is told of a key's life. Pure. */
import { listCustomerKeys } from '../../accounts/customer-keys.ts';
import { VerbatimError } from '../../errors.ts';
import { type ApiKey, isRevoked, type OwnKey } from '../../store/accounts/api-keys.ts';
import type { DashboardDeps } from './dashboard-deps.ts';
import type { CustomerCall } from './page.ts';

/** `ending`: replaced by another key, works on for the grace that it was given. */
export type KeyState = 'valid' | 'ending' | 'revoked';

export function keyState(key: ApiKey, now: number): KeyState {
  if (key.revokedAt === null) return 'valid';
  return isRevoked(key, now) ? 'revoked' : 'ending';
}

/** Throws `not_found` for a key that is not the customer's, or has ended. */
export function keyInUse({ accounts }: DashboardDeps, call: CustomerCall): OwnKey {
  const now = accounts.now();
  const key = listCustomerKeys(accounts, call.session.customer.id).find(
    (own) => own.prefix === call.parameters['prefix'] && keyState(own, now) !== 'revoked',
  );
  if (key === undefined) throw new VerbatimError('not_found');
  return key;
}
