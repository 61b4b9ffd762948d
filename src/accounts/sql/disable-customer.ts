/** Disables and enables customers. Every key check and session lookup reads the flag. */

import type { Connection } from '../../database/sqlite/connection.ts';
import { assertEnablable, type Customer, findCustomer } from './customers.ts';
import { listMembers } from './member-rows.ts';
import { endSessions } from './sessions.ts';
import { removeLink } from './sign-in-links.ts';

/**
 * Disables a customer: sessions and links end, and keys are rejected. Keeps an earlier time.
 * Throws `unknown_customer`.
 */
export function disableCustomer(
  db: Connection,
  { email, now }: { email: string; now: number },
): Customer {
  return db
    .transaction(() => {
      const { id } = findCustomer(db, email);
      db.prepare('UPDATE customers SET disabled_at = coalesce(disabled_at, ?) WHERE id = ?').run(
        ...[now, id],
      );
      for (const { id: memberId } of listMembers(db, id)) {
        removeLink(db, memberId);
        endSessions(db, { memberId });
      }
      return findCustomer(db, email);
    })
    .immediate();
}

/**
 * Lets a customer sign in and search again. Ended sessions stay ended. Throws `unknown_customer`, and
 * `usage` for a deleted one.
 */
export function enableCustomer(db: Connection, { email }: { email: string }): Customer {
  return db
    .transaction(() => {
      const customer = findCustomer(db, email);
      assertEnablable(customer);
      const { id } = customer;
      db.prepare('UPDATE customers SET disabled_at = NULL WHERE id = ?').run(id);
      return findCustomer(db, email);
    })
    .immediate();
}
