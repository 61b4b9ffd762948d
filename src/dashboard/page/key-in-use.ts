/** The key that a page is about, by the prefix in its path. */
import { listKeys } from '../../accounts/keys.ts';
import { VerbatimError } from '../../errors.ts';
import type { OwnKey } from '../../store/accounts/own-keys.ts';
import type { DashboardDeps } from './deps.ts';
import { keyState } from './key-state.ts';
import type { CustomerCall } from './page.ts';

/** Throws `not_found` for a key that is not the customer's, or has ended. */
export function keyInUse({ accounts }: DashboardDeps, call: CustomerCall): OwnKey {
  const now = accounts.now();
  const key = listKeys(accounts, call.session.customer.id).find(
    (own) => own.prefix === call.parameters['prefix'] && keyState(own, now) !== 'revoked',
  );
  if (key === undefined) throw new VerbatimError('not_found');
  return key;
}
