/** Customers: who owns keys and credit. */
import { VerbatimError } from '../errors.ts';
import type { Store } from './open.ts';

export interface Customer {
  id: number;
  email: string;
  balance: number;
  createdAt: number;
}

const columns = 'id, email, balance, created_at AS createdAt';

/** Adds a customer. Throws `usage` for what is no address, `already_exists` for a known one. */
export function addCustomer(db: Store, { email, now }: { email: string; now: number }): Customer {
  const address = email.trim().toLowerCase();
  if (!/^[^\s@]+@[^\s@]+$/.test(address) || address.length > 254) {
    throw new VerbatimError('usage', `"${email}" is no e-mail address`);
  }
  const row = db
    .prepare(
      `INSERT INTO customers (email, created_at) VALUES (?, ?)
       ON CONFLICT DO NOTHING RETURNING ${columns}`,
    )
    .get(address, now) as Customer | undefined;
  if (row === undefined) {
    throw new VerbatimError('already_exists', `there is a customer ${address} already`);
  }
  return row;
}

export function listCustomers(db: Store): Customer[] {
  return db.prepare(`SELECT ${columns} FROM customers ORDER BY id`).all() as Customer[];
}

/** The customer with this address, in any case. Throws `unknown_customer`. */
export function findCustomer(db: Store, email: string): Customer {
  const row = db
    .prepare(`SELECT ${columns} FROM customers WHERE email = ?`)
    .get(email.trim().toLowerCase()) as Customer | undefined;
  if (row === undefined) {
    throw new VerbatimError('unknown_customer', `there is no customer ${email}`);
  }
  return row;
}

export function readBalance(db: Store, customerId: number): number {
  return Number(
    db.prepare('SELECT balance FROM customers WHERE id = ?').pluck().get(customerId) ?? 0,
  );
}
