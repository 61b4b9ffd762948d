/** Disables and enables customers. Every key check and session lookup reads the flag. */

import { query, type Sql } from '../../database/sql/sql.ts';
import { assertNotDeleted, type Customer, findCustomer, normalizeEmail } from './customers.ts';
import { listMembers } from './member-rows.ts';
import { endSessions } from './sessions.ts';
import { removeLink } from './sign-in-links.ts';

/**
 * Disables a customer: sessions and links end, and keys are rejected. Keeps an earlier time. May be
 * repeated. Throws `unknown_customer`.
 */
export function* disableCustomer({ email, now }: { email: string; now: number }): Sql<Customer> {
  const { id } = yield* findCustomer(email);
  // Sign-ins that are under way end first, and later ones find the flag.
  yield* query('UPDATE customers SET disabled_at = coalesce(disabled_at, $2) WHERE id = $1', [
    ...[id, now],
  ]);
  for (const { id: memberId } of yield* listMembers(id)) {
    yield* removeLink(memberId);
    yield* endSessions({ ownerId: memberId });
  }
  return yield* findCustomer(email);
}

/**
 * Lets a customer sign in and search again. Ended sessions stay ended. May be repeated. Throws
 * `unknown_customer`, and `usage` for a deleted one.
 */
export function* enableCustomer({ email }: { email: string }): Sql<Customer> {
  assertNotDeleted(yield* findCustomer(email));
  // If the customer is deleted meanwhile, nobody has the address, and nothing changes.
  yield* query('UPDATE customers SET disabled_at = NULL WHERE email = $1', [normalizeEmail(email)]);
  return yield* findCustomer(email);
}
