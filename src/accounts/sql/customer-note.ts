/** What operators write of a customer, for themselves. It is deleted with the account. */
import { query, queryFirst, type Sql } from '../../database/sql/sql.ts';
import { VerbatimError } from '../../errors.ts';
import { type Customer, findCustomer, isDeleted } from './customers.ts';

export interface CustomerNote {
  email: string;
  /** Empty: removes it. */
  note: string;
  charactersMax: number;
}

/**
 * Writes the note, in place of an earlier one. May be repeated. Throws `unknown_customer`, and `usage` for
 * a note that is too long and for a deleted customer.
 */
export function* setCustomerNote({ email, note, charactersMax }: CustomerNote): Sql<Customer> {
  const customer = yield* findCustomer(email);
  if (note.length > charactersMax) {
    throw new VerbatimError('usage', `a note has at most ${charactersMax} characters`);
  }
  if (isDeleted(customer)) {
    throw new VerbatimError('usage', `the account ${customer.email} was deleted by its owner`);
  }
  // If the customer is deleted meanwhile, nobody has the address, and nothing changes.
  yield* query('UPDATE customers SET operator_note = $2 WHERE email = $1', [
    ...[customer.email, note === '' ? null : note],
  ]);
  return customer;
}

/** Reads the note; empty without one. */
export function* readCustomerNote(customerId: number): Sql<string> {
  const found = yield* queryFirst<{ note: string | null }>(
    'SELECT operator_note AS note FROM customers WHERE id = $1',
    [customerId],
  );
  return found?.note ?? '';
}
