/** Customers on PostgreSQL. */

import { isDuplicate, type Queries } from '../../database/postgres/postgres-database.ts';
import { VerbatimError } from '../../errors.ts';
import type { LaneChoice } from '../../settings/lane-choice.ts';
import { type Customer, isEmail, normalizeEmail } from '../sql/customers.ts';
import { allowNextWarning, deleteNotice } from './postgres-billing-notices.ts';
import { insertMember } from './postgres-members.ts';

/** The columns of a Customer, for joins. */
export const customerColumns = `customers.id, customers.email, balance, low_balance AS "lowBalance",
  customers.lanes, customers.created_at AS "createdAt", disabled_at AS "disabledAt"`;

/** Adds a customer with an owner, in a transaction. Throws `usage`, and `already_exists`. */
export async function addCustomer(
  queries: Queries,
  { email, now }: { email: string; now: number },
): Promise<Customer> {
  const address = normalizeEmail(email);
  if (!isEmail(address)) throw new VerbatimError('usage', `"${email}" is not an e-mail address`);
  const [row] = await queries.query<Customer>(
    `INSERT INTO customers (email, created_at) VALUES ($1, $2)
     ON CONFLICT DO NOTHING RETURNING ${customerColumns}`,
    [address, now],
  );
  if (row === undefined) {
    throw new VerbatimError('already_exists', `the customer ${address} already exists`);
  }
  const owner = { customerId: row.id, email: address, role: 'owner', now } as const;
  if ((await insertMember(queries, owner)) === undefined) {
    throw new VerbatimError('already_exists', `${address} is a member of another customer`);
  }
  return row;
}

export async function listCustomers({ query }: Queries): Promise<Customer[]> {
  return await query(`SELECT ${customerColumns} FROM customers ORDER BY id`);
}

/** Finds the customer with this address, in any case. Throws `unknown_customer`. */
export async function findCustomer({ query }: Queries, email: string): Promise<Customer> {
  const [row] = await query<Customer>(`SELECT ${customerColumns} FROM customers WHERE email = $1`, [
    normalizeEmail(email),
  ]);
  if (row === undefined) {
    throw new VerbatimError('unknown_customer', `there is no customer ${email}`);
  }
  return row;
}

/** Reads a customer by id. Throws `unknown_customer`. */
export async function customerOf({ query }: Queries, customerId: number): Promise<Customer> {
  const [row] = await query<Customer>(`SELECT ${customerColumns} FROM customers WHERE id = $1`, [
    customerId,
  ]);
  if (row === undefined) {
    throw new VerbatimError('unknown_customer', `there is no customer ${customerId}`);
  }
  return row;
}

/** Disables a customer. Keeps an earlier time. */
export async function disable(
  { query }: Queries,
  { customerId, now }: { customerId: number; now: number },
): Promise<void> {
  await query('UPDATE customers SET disabled_at = coalesce(disabled_at, $2) WHERE id = $1', [
    ...[customerId, now],
  ]);
}

export async function enable({ query }: Queries, customerId: number): Promise<void> {
  await query('UPDATE customers SET disabled_at = NULL WHERE id = $1', [customerId]);
}

/** Sets or clears the warning, in a transaction. */
export async function setLowBalance(
  queries: Queries,
  { customerId, credits }: { customerId: number; credits: number | null },
): Promise<void> {
  const values = [customerId, credits];
  await queries.query('UPDATE customers SET low_balance = $2 WHERE id = $1', values);
  await deleteNotice(queries, { customerId, kind: 'low_balance' });
}

export async function setCustomerLanes(
  { query }: Queries,
  { customerId, lanes }: { customerId: number; lanes: LaneChoice },
): Promise<void> {
  await query('UPDATE customers SET lanes = $2 WHERE id = $1', [customerId, lanes]);
}

/** Adds credits outside of searches, and the entry. Throws `already_exists` for a known reference. */
export async function addPaymentEntry(
  queries: Queries,
  entry: {
    customerId: number;
    kind: 'topup' | 'adjust';
    credits: number;
    reference?: string | undefined;
    note?: string | undefined;
    now: number;
  },
): Promise<number> {
  const { customerId, kind, credits, reference, note, now } = entry;
  try {
    const [row] = await queries.query<{ balance: number }>(
      'UPDATE customers SET balance = balance + $2 WHERE id = $1 RETURNING balance',
      [customerId, credits],
    );
    const balance = Number(row?.balance);
    await queries.query(
      `INSERT INTO ledger_entries (customer_id, kind, credits, balance, reference, note, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [customerId, kind, credits, balance, reference ?? null, note ?? null, now],
    );
    await allowNextWarning(queries, customerId);
    return balance;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw new VerbatimError('already_exists', `the payment ${reference} was already counted`);
  }
}
