/**
 * Deletes a customer: everything of persons goes, and what was charged stays under a pseudonym. Whatever
 * else is stored of a customer must have a place here; test/accounts/sql/delete-customer.test.ts
 * lists all tables.
 */

import { lockCustomer, query, queryFirst, type Sql } from '../../database/sql/sql.ts';
import { VerbatimError } from '../../errors.ts';
import { formatCredits } from '../amounts/credits.ts';
import { deleteQuestionsOf } from './answer-outcomes.ts';
import { turnOffTopUp } from './automatic-top-up-rows.ts';
import { addPaymentEntry } from './credit-entries.ts';
import { pseudonymOf } from './customers.ts';
import { deleteMember, listMembers } from './member-rows.ts';
import { cancelOrders } from './payments.ts';
import { type FactorProof, passSecondFactor } from './second-factor-rows.ts';

export interface CustomerDeletion {
  customerId: number;
  /** The owner who asks. */
  memberId: number;
  /** Of the second factor of the owner. */
  proof?: FactorProof | undefined;
  /** The credits that the owner has seen and forfeits. */
  creditsForfeited: number;
  now: number;
}

/** What stands in the way of a deletion. */
export interface DeletionFacts {
  balance: number;
  /** Credits that are held for searches that run. */
  held: number;
  /** Payments whose money is on its way. An order that nobody has paid is none. */
  openPayments: number;
}

/** The name of a key, and of a client, whose customer is deleted. */
const DELETED_NAME = 'deleted';

/** Returns the reference of the entry that gives up the credit. The audit knows it. */
function forfeitReference(customerId: number): string {
  return `deleted:${customerId}`;
}

/** Returns the error for an account whose payment may still arrive. */
export function paymentOnItsWay(): VerbatimError {
  const message = 'a payment is on its way; wait until it arrives or fails';
  return new VerbatimError('account_kept', message);
}

/** Throws `account_kept` with the reason if an account cannot be deleted now. */
export function assertDeletable({ balance, held, openPayments }: DeletionFacts): void {
  if (balance < 0) {
    throw new VerbatimError(
      'account_kept',
      `the account owes ${formatCredits(-balance)}; pay them first`,
    );
  }
  if (openPayments > 0) throw paymentOnItsWay();
  if (held > 0) {
    throw new VerbatimError('account_kept', 'a search is running; try again in a moment');
  }
}

/** Reads what stands in the way of a deletion. The deletion checks again. Throws `not_found`. */
export function* readDeletionFacts({
  customerId,
  now,
}: {
  customerId: number;
  now: number;
}): Sql<DeletionFacts> {
  const facts = yield* queryFirst<DeletionFacts>(
    `SELECT balance,
       (SELECT CAST(coalesce(sum(credits), 0) AS bigint) FROM api_keys JOIN open_holds
          ON open_holds.key_id = api_keys.id WHERE api_keys.customer_id = customers.id) AS held,
       (SELECT count(*) FROM payments WHERE customer_id = customers.id
          AND (state = 'unpaid' OR state = 'ordered' AND payment_method IS NOT NULL
            AND expires_at > $2)) AS "openPayments"
     FROM customers WHERE id = $1`,
    [customerId, now],
  );
  if (facts === undefined) throw new VerbatimError('not_found');
  return facts;
}

/**
 * Deletes a customer: members with sessions, links, and second factors, names of keys, clients, and the
 * address. Keys stop at once. The ledger stays, and gets an `adjust` for the credit that is given up.
 * Throws `account_kept` with the reason, `credit_changed` if the balance is not what is given up,
 * `not_found` unless the member is an owner, `second_factor_needed`, and `wrong_code`. Stored answers are
 * deleted apart, because they may be many.
 */
export function* deleteCustomer(input: CustomerDeletion): Sql<void> {
  const { customerId, memberId, proof, creditsForfeited, now } = input;
  yield* lockCustomer(customerId);
  const members = yield* listMembers(customerId);
  const requester = members.find(({ id }) => id === memberId);
  if (requester?.role !== 'owner') throw new VerbatimError('not_found');
  const facts = yield* readDeletionFacts({ customerId, now });
  assertDeletable(facts);
  if (facts.balance !== creditsForfeited) throw new VerbatimError('credit_changed');
  yield* passSecondFactor({ email: requester.email, proof });
  if (creditsForfeited > 0) {
    const reference = forfeitReference(customerId);
    const credits = -creditsForfeited;
    yield* addPaymentEntry({ customerId, kind: 'adjust', credits, reference, now });
  }
  for (const member of members) yield* deleteMember(member);
  yield* endKeys(input);
  yield* turnOffTopUp({ customerId });
  yield* cancelOrders({ customerId, now });
  yield* deleteQuestionsOf(customerId);
  yield* query('UPDATE payments SET url = NULL WHERE customer_id = $1', [customerId]);
  yield* query(
    `UPDATE customers SET email = $2, disabled_at = $3, low_balance = NULL, lanes = NULL,
       asked_days = 0, operator_note = NULL, account_name = '', time_zone = 'UTC'
     WHERE id = $1`,
    [customerId, pseudonymOf(customerId), now],
  );
  for (const table of ['billing_notices', 'buyers']) {
    yield* query(`DELETE FROM ${table} WHERE customer_id = $1`, [customerId]);
  }
}

/** Ends the keys, and deletes their names, their earlier secrets, and what clients were granted. */
function* endKeys({ customerId, now }: CustomerDeletion): Sql<void> {
  const own = 'SELECT id FROM api_keys WHERE customer_id = $1';
  yield* query('DELETE FROM client_codes WHERE customer_id = $1', [customerId]);
  yield* query(
    `DELETE FROM client_tokens WHERE grant_id IN
       (SELECT id FROM client_grants WHERE key_id IN (${own}))`,
    [customerId],
  );
  yield* query(
    `UPDATE client_grants SET client_id = $2,
       expires_at = CASE WHEN expires_at < $3 THEN expires_at ELSE $3 END
     WHERE key_id IN (${own})`,
    [customerId, DELETED_NAME, now],
  );
  yield* query(`DELETE FROM replaced_secrets WHERE key_id IN (${own})`, [customerId]);
  yield* query(
    `UPDATE api_keys SET name = $2, lanes = NULL, revoked_at = CASE
       WHEN coalesce(revoked_at, expires_at) < $3 THEN coalesce(revoked_at, expires_at) ELSE $3 END
     WHERE customer_id = $1`,
    [customerId, DELETED_NAME, now],
  );
}

/**
 * Deletes stored answers of a customer. Returns how many: fewer than `limit` when none is left. May be
 * repeated.
 */
export function* deleteAnswersOf({
  customerId,
  limit,
}: {
  customerId: number;
  limit: number;
}): Sql<number> {
  const deleted = yield* query(
    `DELETE FROM stored_answers WHERE (customer_id, idempotency_key) IN (
       SELECT customer_id, idempotency_key FROM stored_answers WHERE customer_id = $1 LIMIT $2)
     RETURNING customer_id`,
    [customerId, limit],
  );
  return deleted.length;
}
