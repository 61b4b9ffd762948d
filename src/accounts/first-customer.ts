/** The customer who is there from the start, with credit and a key. */
import { createKey } from '../store/accounts/api-keys.ts';
import { addCustomer, listCustomers } from '../store/accounts/customers.ts';
import { topUp } from '../store/accounts/ledger.ts';
import type { Connection } from '../store/database/connection.ts';

/** The address if nobody chose another. */
export const FIRST_CUSTOMER = 'first-customer@localhost';
export const FIRST_CREDITS = 1000;

export interface AddedCustomer {
  id: number;
  email: string;
  credits: number;
  /** Of the key. Shown once by the caller and never again. */
  secret: string;
}

/**
 * Adds the first customer within the caller's transaction. Returns undefined, and changes nothing,
 * if there are customers already.
 */
export function addFirstCustomer(
  db: Connection,
  { email = FIRST_CUSTOMER, credits = FIRST_CREDITS, now = Date.now() } = {},
): AddedCustomer | undefined {
  if (listCustomers(db).length > 0) return undefined;
  const customer = addCustomer(db, { email, now });
  const { id: customerId } = customer;
  topUp(db, { customerId, credits, note: 'first run', now });
  const caps = { requestsPerMinute: null, inFlightMax: null };
  const { secret } = createKey(db, { customerId, name: 'first run', ...caps, now });
  return { id: customerId, email: customer.email, credits, secret };
}
