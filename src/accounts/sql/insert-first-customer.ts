/** The customer who is there from the start, with credit and a key. */
import type { Connection } from '../../database/sqlite/connection.ts';
import { createKey } from './api-keys.ts';
import { addCustomer, listCustomers } from './customers.ts';
import { topUp } from './ledger.ts';
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

/** Adds the first customer. Returns undefined, and changes nothing, if there are customers already. */
export function addFirstCustomer(
  db: Connection,
  { email, credits, linkExpiresAt, now }: FirstCustomer,
): AddedCustomer | undefined {
  return db
    .transaction(() => {
      if (listCustomers(db).length > 0) return undefined;
      const customer = addCustomer(db, { email, now });
      const { id: customerId } = customer;
      topUp(db, { customerId, credits, note: 'first run', now });
      const caps = { requestsPerMinute: null, inFlightMax: null };
      const { secret } = createKey(db, { customerId, name: 'first run', ...caps, now });
      const link =
        linkExpiresAt === undefined
          ? undefined
          : createLink(db, { memberId: ownerOf(db, customerId), expiresAt: linkExpiresAt });
      return { id: customerId, email: customer.email, credits, secret, link };
    })
    .immediate();
}
