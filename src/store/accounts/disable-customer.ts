/** Shutting a customer out, and letting them in again. Both are found by every key and session. */

import type { Connection } from '../database/connection.ts';
import { type Customer, findCustomer } from './customers.ts';
import { endSessions } from './sessions.ts';
import { removeLink } from './sign-in-links.ts';

/**
 * Disables a customer: sessions and the link end, keys are refused. An earlier time stays.
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
      removeLink(db, id);
      endSessions(db, { customerId: id });
      return findCustomer(db, email);
    })
    .immediate();
}

/** Lets a customer sign in and search again; ended sessions stay ended. Throws `unknown_customer`. */
export function enableCustomer(db: Connection, { email }: { email: string }): Customer {
  return db
    .transaction(() => {
      const { id } = findCustomer(db, email);
      db.prepare('UPDATE customers SET disabled_at = NULL WHERE id = ?').run(id);
      return findCustomer(db, email);
    })
    .immediate();
}
