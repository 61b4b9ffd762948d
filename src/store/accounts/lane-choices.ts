/** What customers say of where their questions may go. */
import { VerbatimError } from '../../errors.ts';
import type { LaneChoice } from '../../lane-choice.ts';
import type { Connection } from '../database/connection.ts';
import { type Customer, findCustomer } from './customers.ts';
import { type ApiKey, findKey } from './keys.ts';
import type { OwnKeyName } from './own-keys.ts';

/** Sets, or clears (null), the choice of a customer. */
export function setCustomerLanes(
  db: Connection,
  { customerId, lanes }: { customerId: number; lanes: LaneChoice },
): void {
  db.prepare('UPDATE customers SET lanes = ? WHERE id = ?').run(lanes, customerId);
}

/** The same of the customer with this address. Throws `unknown_customer`. */
export function setNamedCustomerLanes(
  db: Connection,
  { email, lanes }: { email: string; lanes: LaneChoice },
): Customer {
  const { id: customerId } = findCustomer(db, email);
  setCustomerLanes(db, { customerId, lanes });
  return findCustomer(db, email);
}

/** The same of the key whose prefix starts so. Throws `unknown_key`. */
export function setKeyLanes(
  db: Connection,
  { prefix, lanes }: { prefix: string; lanes: LaneChoice },
): ApiKey {
  const key = findKey(db, prefix);
  db.prepare('UPDATE api_keys SET lanes = ? WHERE id = ?').run(lanes, key.id);
  return findKey(db, key.prefix);
}

/** The same of a customer's own key. Throws `not_found` for none of theirs. */
export function setOwnKeyLanes(
  db: Connection,
  { customerId, prefix, lanes }: OwnKeyName & { lanes: LaneChoice },
): void {
  const { changes } = db
    .prepare('UPDATE api_keys SET lanes = ? WHERE customer_id = ? AND prefix = ?')
    .run(lanes, customerId, prefix);
  if (changes === 0) throw new VerbatimError('not_found');
}
