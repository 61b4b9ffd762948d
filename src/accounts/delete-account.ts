/** Deleting an account, at the wish of an owner. */

import type { AccountDeps } from './account-deps.ts';
import { proveSecondFactor, type TypedCode } from './second-factor.ts';
import { accountDeleted, addressesOf, notifyAll } from './security-mails.ts';
import { confirmPassword } from './sign-in.ts';
import {
  assertDeletable,
  type CustomerDeletion,
  type DeletionFacts,
} from './sql/delete-customer.ts';

export interface AccountDeletion
  extends Pick<CustomerDeletion, 'customerId' | 'memberId' | 'creditsForfeited'> {
  email: string;
  password: string;
  typed: TypedCode;
  /** Ends what the customer could still pay for. Rejects with `account_kept` if they have just paid. */
  endCheckouts: () => Promise<void>;
  /** The token of the current session, by which attempts of the password are counted. */
  sessionToken: string | undefined;
}

/** Reads what stands in the way. */
export function readDeletionFacts(
  { store, now }: AccountDeps,
  customerId: number,
): Promise<DeletionFacts> {
  return store.readDeletionFacts({ customerId, now: now() });
}

/**
 * Deletes an account after password and code. Throws `wrong_sign_in`, `account_kept`, `credit_changed`,
 * `second_factor_needed`, `wrong_code`, `too_many_tries`, or `at_capacity`.
 */
export async function deleteAccount(deps: AccountDeps, input: AccountDeletion): Promise<void> {
  const { customerId, memberId, email, creditsForfeited, typed } = input;
  const { store, settings } = deps;
  await confirmPassword(deps, input);
  // Reasons come before the code, which counts once.
  assertDeletable(await readDeletionFacts(deps, customerId));
  const { proof, accepted } = await proveSecondFactor(deps, email, typed);
  await input.endCheckouts();
  const owners = await addressesOf(deps, customerId);
  await store.deleteCustomer({ customerId, memberId, creditsForfeited, proof, now: deps.now() });
  await accepted();
  notifyAll(deps, async () => owners, accountDeleted);
  deps.log.info('account_deleted', { customer: customerId, credits: creditsForfeited });
  // Nobody can ask for these any more. Those that a crash leaves expire as all do.
  deps.background.run('delete answers and requests', async () => {
    const own = { customerId, limit: settings.expiredAnswersDeletedMax };
    while ((await store.deleteAnswersOf(own)) === own.limit);
    while ((await store.deleteRequestsOf(own)) === own.limit);
  });
}
