/** Forms that make a one-time link: one for each idempotency key, however often it is submitted. */

import { deliverLink } from '../../../accounts/deliver-link.ts';
import type { OperatorStore } from '../../../accounts/ports/operator-store.ts';
import type { LinkedCustomer } from '../../../accounts/sql/operator-changes.ts';
import { VerbatimError } from '../../../errors.ts';
import { idempotencyKeyOf, OPERATORS, storeOf } from './change-once.ts';
import type { OperatorCall } from './operator-call.ts';
import type { OperatorDeps } from './operator-deps.ts';

/**
 * Makes and delivers a link. Resolves to the path of the page that shows it, or to undefined if an
 * earlier submission made it and nobody can see it any more.
 */
export async function createLinkOnce(
  deps: OperatorDeps,
  call: OperatorCall,
  make: (store: OperatorStore) => Promise<LinkedCustomer>,
): Promise<string | undefined> {
  try {
    return await deps.linkForms.run(OPERATORS, idempotencyKeyOf(call), async () => {
      const { customer, email, link } = await make(storeOf(deps, call));
      const { id: customerId } = customer;
      const linkDeps = { settings: deps.linkSettings(), sendMail: deps.accounts.sendMail };
      const delivered = await deliverLink(linkDeps, { email, token: link.token });
      const { expiresAt } = link;
      // Between this response and the page that shows it, the link exists only in memory.
      const name = deps.links.put(OPERATORS, { customerId, email, ...delivered, expiresAt });
      return `/operator/links/${name}`;
    });
  } catch (error) {
    if (error instanceof VerbatimError && error.code === 'already_submitted') return undefined;
    throw error;
  }
}
