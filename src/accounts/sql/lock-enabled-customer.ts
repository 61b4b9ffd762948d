/** The lock of a customer who may get something new. */
import { query, type Sql } from '../../database/sql/sql.ts';
import { VerbatimError } from '../../errors.ts';

/**
 * Lets the other transactions of a customer wait. Throws `unknown_customer` if it is disabled or was deleted
 * meanwhile: a deleted customer must get nothing new.
 */
export function* lockEnabledCustomer(customerId: number): Sql<void> {
  const found = yield* query(
    'SELECT 1 FROM customers WHERE id = $1 AND disabled_at IS NULL FOR UPDATE',
    [customerId],
  );
  if (found.length === 0) {
    throw new VerbatimError('unknown_customer', `there is no enabled customer ${customerId}`);
  }
}
