/** Customers: who owns keys and credit. */
import { VerbatimError } from '../../errors.ts';
import type { LaneChoice } from '../../lane-choice.ts';
import type { Connection } from '../database/connection.ts';

export interface Customer {
  id: number;
  email: string;
  balance: number;
  /** Below this many credits the dashboard warns; null: never. */
  lowBalance: number | null;
  /** The lanes that questions may go to, of all keys. */
  lanes: LaneChoice;
  createdAt: number;
  /** null: may sign in and search. */
  disabledAt: number | null;
}

/** The columns of a Customer, for tables that are joined with customers. */
export const customerColumns = `customers.id, email, balance, low_balance AS lowBalance,
  customers.lanes AS lanes, customers.created_at AS createdAt, disabled_at AS disabledAt`;

/** An address as it is stored and compared: letters of both cases are the same. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** Adds a customer. Throws `usage` for what is no address, `already_exists` for a known one. */
export function addCustomer(
  db: Connection,
  { email, now }: { email: string; now: number },
): Customer {
  const address = normalizeEmail(email);
  if (!isEmail(address)) throw new VerbatimError('usage', `"${email}" is no e-mail address`);
  const row = db
    .prepare(
      `INSERT INTO customers (email, created_at) VALUES (?, ?)
       ON CONFLICT DO NOTHING RETURNING ${customerColumns}`,
    )
    .get(address, now) as Customer | undefined;
  if (row === undefined) {
    throw new VerbatimError('already_exists', `there is a customer ${address} already`);
  }
  return row;
}

/** Whether a text can be an address, and no header or list of addresses in a mail. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@,;:<>()"\\\p{Cc}]+@[^\s@,;:<>()"\\\p{Cc}]+$/u.test(text);
}

export function listCustomers(db: Connection): Customer[] {
  return db.prepare(`SELECT ${customerColumns} FROM customers ORDER BY id`).all() as Customer[];
}

/** The customer with this address, in any case. Throws `unknown_customer`. */
export function findCustomer(db: Connection, email: string): Customer {
  const row = db
    .prepare(`SELECT ${customerColumns} FROM customers WHERE email = ?`)
    .get(normalizeEmail(email)) as Customer | undefined;
  if (row === undefined) {
    throw new VerbatimError('unknown_customer', `there is no customer ${email}`);
  }
  return row;
}

export function readBalance(db: Connection, customerId: number): number {
  return createBalanceReader(db)(customerId);
}

/** Returns a function that reads a customer's balance, 0 where there is no such customer. */
export function createBalanceReader(db: Connection): (customerId: number) => number {
  const read = db.prepare('SELECT balance FROM customers WHERE id = ?').pluck();
  return (customerId) => Number(read.get(customerId) ?? 0);
}

/** Sets or clears (null) the balance below which the dashboard warns. */
export function setLowBalance(
  db: Connection,
  { customerId, credits }: { customerId: number; credits: number | null },
): void {
  db.prepare('UPDATE customers SET low_balance = ? WHERE id = ?').run(credits, customerId);
}

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
