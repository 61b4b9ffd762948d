/** Customers, who own keys and credit. */

import { query, queryFirst, type Sql } from '../../database/sql/sql.ts';
import { VerbatimError } from '../../errors.ts';
import type { LaneChoice } from '../../settings/lane-choice.ts';
import { deleteNotice } from './billing-notice-rows.ts';
import { insertMember } from './member-rows.ts';

export interface Customer {
  id: number;
  email: string;
  balance: number;
  /** The balance below which the dashboard warns; null: never. */
  lowBalance: number | null;
  /** The lanes that questions of all keys may go to. */
  lanes: LaneChoice;
  createdAt: number;
  /** null: enabled. */
  disabledAt: number | null;
  /** For how many days the text of requests is kept; 0: not at all. */
  askedDays: number;
  /** When they registered themselves, as long as they have no password; otherwise null. */
  unconfirmedSince: number | null;
  /** Of the account; empty: none. */
  name: string;
  /** In which its pages show times, such as `Europe/Berlin`. */
  timeZone: string;
}

export type CustomerProfile = Pick<Customer, 'name' | 'timeZone'>;

/** The columns of a Customer, for joins. */
export const customerColumns = `customers.id, customers.email, balance, low_balance AS "lowBalance",
  customers.lanes, customers.created_at AS "createdAt", disabled_at AS "disabledAt",
  asked_days AS "askedDays", unconfirmed_since AS "unconfirmedSince", account_name AS name,
  time_zone AS "timeZone"`;

/** Returns the address of a customer who is deleted. Nobody can register it: it has no @. */
export function pseudonymOf(customerId: number): string {
  return `deleted-${customerId}`;
}

/** Returns whether a customer was deleted by an owner. */
export function isDeleted({ id, email }: Pick<Customer, 'id' | 'email'>): boolean {
  return email === pseudonymOf(id);
}

/** Throws `usage` for a customer who was deleted: nobody is left who could use what is given. */
export function assertNotDeleted(customer: Pick<Customer, 'id' | 'email'>): void {
  if (!isDeleted(customer)) return;
  throw new VerbatimError('usage', `the account ${customer.email} was deleted by its owner`);
}

/** Returns the stored form of an address: trimmed, in lower case. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * Adds a customer with an owner. Throws `usage` for an invalid address, and `already_exists` for that
 * of a customer or a member: of two at once, one succeeds.
 */
export function* addCustomer({ email, now }: { email: string; now: number }): Sql<Customer> {
  const address = normalizeEmail(email);
  if (!isEmail(address)) throw new VerbatimError('usage', `"${email}" is not an e-mail address`);
  const added = yield* queryFirst<Customer>(
    `INSERT INTO customers (email, created_at) VALUES ($1, $2)
     ON CONFLICT DO NOTHING RETURNING ${customerColumns}`,
    [address, now],
  );
  if (added === undefined) {
    throw new VerbatimError('already_exists', `the customer ${address} already exists`);
  }
  const owner = { customerId: added.id, email: address, role: 'owner', now } as const;
  if ((yield* insertMember(owner)) === undefined) {
    throw new VerbatimError('already_exists', `${address} is a member of another customer`);
  }
  return added;
}

/** Returns whether a text is an address, and cannot be a mail header or a list of addresses. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@,;:<>()"\\\p{Cc}]+@[^\s@,;:<>()"\\\p{Cc}]+$/u.test(text);
}

/** Lists all customers, oldest first. */
export function* listCustomers(): Sql<Customer[]> {
  return yield* query<Customer>(`SELECT ${customerColumns} FROM customers ORDER BY id`);
}

/** Finds the customer with this address, in any case. Throws `unknown_customer`. */
export function* findCustomer(email: string): Sql<Customer> {
  const found = yield* queryFirst<Customer>(
    `SELECT ${customerColumns} FROM customers WHERE email = $1`,
    [normalizeEmail(email)],
  );
  if (found === undefined) {
    throw new VerbatimError('unknown_customer', `there is no customer ${email}`);
  }
  return found;
}

/** Reads a customer by id. Throws `unknown_customer`. */
export function* customerOf(customerId: number): Sql<Customer> {
  const found = yield* queryFirst<Customer>(
    `SELECT ${customerColumns} FROM customers WHERE id = $1`,
    [customerId],
  );
  if (found === undefined) {
    throw new VerbatimError('unknown_customer', `there is no customer ${customerId}`);
  }
  return found;
}

/** Reads the balance of a customer; 0 for an unknown one. */
export function* readBalance(customerId: number): Sql<number> {
  const found = yield* queryFirst<{ balance: number }>(
    'SELECT balance FROM customers WHERE id = $1',
    [customerId],
  );
  return found?.balance ?? 0;
}

/**
 * Sets or clears (null) the balance below which a customer is warned, from the next fall below it. May be
 * repeated.
 */
export function* setLowBalance({
  customerId,
  credits,
}: {
  customerId: number;
  credits: number | null;
}): Sql<void> {
  yield* query('UPDATE customers SET low_balance = $2 WHERE id = $1', [customerId, credits]);
  yield* deleteNotice({ customerId, kind: 'low_balance' });
}

/** Stores what an account is called, and its time zone. May be repeated. */
export function* saveProfile({
  customerId,
  name,
  timeZone,
}: CustomerProfile & { customerId: number }): Sql<void> {
  yield* query('UPDATE customers SET account_name = $2, time_zone = $3 WHERE id = $1', [
    ...[customerId, name, timeZone],
  ]);
}

/** Sets or clears (null) the lanes of a customer. May be repeated. */
export function* setCustomerLanes({
  customerId,
  lanes,
}: {
  customerId: number;
  lanes: LaneChoice;
}): Sql<void> {
  yield* query('UPDATE customers SET lanes = $2 WHERE id = $1', [customerId, lanes]);
}

/**
 * Sets or clears (null) the lanes of the customer with this address. Throws `unknown_customer`. May be
 * repeated.
 */
export function* setNamedCustomerLanes({
  email,
  lanes,
}: {
  email: string;
  lanes: LaneChoice;
}): Sql<Customer> {
  const { id: customerId } = yield* findCustomer(email);
  yield* setCustomerLanes({ customerId, lanes });
  return yield* findCustomer(email);
}
