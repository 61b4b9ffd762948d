/** Customers, who own keys and credit. */

import type { Connection } from '../../database/sqlite/connection.ts';
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
}

/** The columns of a Customer, for joins. */
export const customerColumns = `customers.id, customers.email, balance, low_balance AS lowBalance,
  customers.lanes AS lanes, customers.created_at AS createdAt, disabled_at AS disabledAt`;

/** Returns the address of a customer who is deleted. Nobody can register it: it has no @. */
export function pseudonymOf(customerId: number): string {
  return `deleted-${customerId}`;
}

/** Returns whether a customer was deleted by an owner. */
export function isDeleted({ id, email }: Pick<Customer, 'id' | 'email'>): boolean {
  return email === pseudonymOf(id);
}

/** Throws `usage` for a customer who was deleted: nobody is left who could sign in. */
export function assertEnablable(customer: Pick<Customer, 'id' | 'email'>): void {
  if (!isDeleted(customer)) return;
  const message = `the account ${customer.email} was deleted by its owner and cannot be enabled`;
  throw new VerbatimError('usage', message);
}

/** Returns the stored form of an address: trimmed, in lower case. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * Adds a customer with an owner. Throws `usage` for an invalid address, and `already_exists` for that
 * of a customer or a member.
 */
export function addCustomer(
  db: Connection,
  { email, now }: { email: string; now: number },
): Customer {
  const address = normalizeEmail(email);
  if (!isEmail(address)) throw new VerbatimError('usage', `"${email}" is not an e-mail address`);
  return db.transaction(() => {
    const row = db
      .prepare(
        `INSERT INTO customers (email, created_at) VALUES (?, ?)
         ON CONFLICT DO NOTHING RETURNING ${customerColumns}`,
      )
      .get(address, now) as Customer | undefined;
    if (row === undefined) {
      throw new VerbatimError('already_exists', `the customer ${address} already exists`);
    }
    if (
      insertMember(db, { customerId: row.id, email: address, role: 'owner', now }) === undefined
    ) {
      throw new VerbatimError('already_exists', `${address} is a member of another customer`);
    }
    return row;
  })();
}

/** Returns whether a text is an address, and cannot be a mail header or a list of addresses. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@,;:<>()"\\\p{Cc}]+@[^\s@,;:<>()"\\\p{Cc}]+$/u.test(text);
}

export function listCustomers(db: Connection): Customer[] {
  return db.prepare(`SELECT ${customerColumns} FROM customers ORDER BY id`).all() as Customer[];
}

/** Finds the customer with this address, in any case. Throws `unknown_customer`. */
export function findCustomer(db: Connection, email: string): Customer {
  const row = db
    .prepare(`SELECT ${customerColumns} FROM customers WHERE email = ?`)
    .get(normalizeEmail(email)) as Customer | undefined;
  if (row === undefined) {
    throw new VerbatimError('unknown_customer', `there is no customer ${email}`);
  }
  return row;
}

/** Reads a customer by id. Throws `unknown_customer`. */
export function customerOf(db: Connection, customerId: number): Customer {
  const row = db.prepare(`SELECT ${customerColumns} FROM customers WHERE id = ?`).get(customerId) as
    | Customer
    | undefined;
  if (row === undefined) {
    throw new VerbatimError('unknown_customer', `there is no customer ${customerId}`);
  }
  return row;
}

export function readBalance(db: Connection, customerId: number): number {
  return createBalanceReader(db)(customerId);
}

/** Returns a function that reads a customer's balance; 0 for an unknown customer. */
export function createBalanceReader(db: Connection): (customerId: number) => number {
  const read = db.prepare('SELECT balance FROM customers WHERE id = ?').pluck();
  return (customerId) => Number(read.get(customerId) ?? 0);
}

/** Sets or clears (null) the balance below which a customer is warned, from the next fall below it. */
export function setLowBalance(
  db: Connection,
  { customerId, credits }: { customerId: number; credits: number | null },
): void {
  db.transaction(() => {
    db.prepare('UPDATE customers SET low_balance = ? WHERE id = ?').run(credits, customerId);
    deleteNotice(db, { customerId, kind: 'low_balance' });
  })();
}

/** Sets or clears (null) the lanes of a customer. */
export function setCustomerLanes(
  db: Connection,
  { customerId, lanes }: { customerId: number; lanes: LaneChoice },
): void {
  db.prepare('UPDATE customers SET lanes = ? WHERE id = ?').run(lanes, customerId);
}

/** Sets or clears (null) the lanes of the customer with this address. Throws `unknown_customer`. */
export function setNamedCustomerLanes(
  db: Connection,
  { email, lanes }: { email: string; lanes: LaneChoice },
): Customer {
  const { id: customerId } = findCustomer(db, email);
  setCustomerLanes(db, { customerId, lanes });
  return findCustomer(db, email);
}
