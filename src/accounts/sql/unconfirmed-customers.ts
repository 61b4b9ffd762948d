/**
 * Customers who registered themselves. They are unconfirmed until one of them has chosen a password by a
 * link, which shows that the address is theirs.
 */
import { lockCustomer, query, queryFirst, type Sql } from '../../database/sql/sql.ts';
import { topUp } from './credit-entries.ts';
import { addCustomer, type Customer } from './customers.ts';
import { deleteMember, listMembers } from './member-rows.ts';

/** Adds an unconfirmed customer. Throws like `addCustomer`. */
export function* registerCustomer(input: { email: string; now: number }): Sql<Customer> {
  const customer = yield* addCustomer(input);
  yield* query('UPDATE customers SET unconfirmed_since = $2 WHERE id = $1', [
    ...[customer.id, input.now],
  ]);
  return { ...customer, unconfirmedSince: input.now };
}

/**
 * Confirms a customer, and adds the welcome credits. Returns whether they were unconfirmed: later calls
 * change nothing.
 */
export function* confirmCustomer({
  customerId,
  welcomeCredits: credits = 0,
  now,
}: {
  customerId: number;
  welcomeCredits?: number;
  now: number;
}): Sql<boolean> {
  const confirmed = yield* queryFirst(
    `UPDATE customers SET unconfirmed_since = NULL
     WHERE id = $1 AND unconfirmed_since IS NOT NULL RETURNING id`,
    [customerId],
  );
  if (confirmed === undefined) return false;
  if (credits > 0) yield* topUp({ customerId, credits, note: 'Welcome credit', now });
  return true;
}

/** Nobody has done anything for them: neither they, nor an operator. */
const isAbandoned = `unconfirmed_since < $1 AND NOT EXISTS (
    SELECT 1 FROM sign_in_links JOIN members ON members.id = member_id
    WHERE members.customer_id = customers.id AND expires_at > $2)
  ${['ledger_entries', 'api_keys', 'payments', 'operator_actions']
    .map((table) => `AND NOT EXISTS (SELECT 1 FROM ${table} WHERE customer_id = customers.id)`)
    .join('\n  ')}`;

/**
 * Deletes customers who registered before a time, have not confirmed it, and have no valid link. Those with
 * a ledger entry, a key, a payment, or an entry in the operators' trail stay. Returns how many: fewer than
 * `limit` when none is left. May be repeated.
 */
export function* deleteUnconfirmed({
  before,
  now,
  limit,
}: {
  before: number;
  now: number;
  limit: number;
}): Sql<number> {
  const found = yield* query<{ id: number }>(
    `SELECT id FROM customers WHERE ${isAbandoned} ORDER BY unconfirmed_since LIMIT $3`,
    [before, now, limit],
  );
  // In the order of all lists of customers, so that no two wait for each other.
  for (const id of found.map((one) => one.id).sort((a, b) => a - b)) {
    yield* lockCustomer(id);
    // Something may have happened before the lock.
    const text = `SELECT 1 FROM customers WHERE ${isAbandoned} AND id = $3`;
    if ((yield* queryFirst(text, [before, now, id])) === undefined) continue;
    for (const member of yield* listMembers(id)) yield* deleteMember(member);
    yield* query('DELETE FROM customers WHERE id = $1', [id]);
  }
  return found.length;
}
