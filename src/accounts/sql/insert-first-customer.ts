/** The customer who is there from the start, with credit and a key. */
import { query, type Sql } from '../../database/sql/sql.ts';
import { createKey } from './api-keys.ts';
import { topUp } from './credit-entries.ts';
import { addCustomer, listCustomers } from './customers.ts';
import { ownerOf } from './member-rows.ts';
import { type CreatedLink, createLink } from './sign-in-links.ts';

export interface FirstCustomer {
  email: string;
  credits: number;
  /** Undefined: without a link to choose a password. */
  linkExpiresAt?: number;
  now: number;
}

export interface AddedCustomer {
  id: number;
  email: string;
  credits: number;
  /** Of the key. Shown once by the caller and never again. */
  secret: string;
  link: CreatedLink | undefined;
}

/**
 * Adds the first customer. Returns undefined, and changes nothing, if there are customers already: of two
 * at once, one adds.
 */
export function* addFirstCustomer({
  email,
  credits,
  linkExpiresAt,
  now,
}: FirstCustomer): Sql<AddedCustomer | undefined> {
  // The one row that is always there.
  yield* query('SELECT 1 FROM account_place FOR UPDATE');
  if ((yield* listCustomers()).length > 0) return undefined;
  const customer = yield* addCustomer({ email, now });
  const { id: customerId } = customer;
  yield* topUp({ customerId, credits, note: 'first run', now });
  const caps = { requestsPerMinute: null, inFlightMax: null };
  const { secret } = yield* createKey({ customerId, name: 'first run', ...caps, now });
  const link =
    linkExpiresAt === undefined
      ? undefined
      : yield* createLink({ memberId: yield* ownerOf(customerId), expiresAt: linkExpiresAt });
  return { id: customerId, email: customer.email, credits, secret, link };
}
