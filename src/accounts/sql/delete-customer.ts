/**
 * Deletes a customer: everything of persons goes, and what was charged stays under a pseudonym. Whatever
 * else is stored of a customer must have a place here; test/accounts/sql/delete-customer.test.ts
 * lists all tables.
 */

import type { Connection } from '../../database/sqlite/connection.ts';
import { deletingSecurely } from '../../database/sqlite/secure-delete.ts';
import { VerbatimError } from '../../errors.ts';
import { deleteQuestionsOf } from './answer-outcomes.ts';
import { turnOffTopUp } from './automatic-top-up-rows.ts';
import { pseudonymOf } from './customers.ts';
import { addPaymentEntry } from './ledger.ts';
import { deleteMember, listMembers } from './member-rows.ts';
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
  /** Payments that were begun and may still arrive. */
  openPayments: number;
}

/** The name of a key, and of a client, whose customer is deleted. */
export const DELETED_NAME = 'deleted';

/** Returns the reference of the entry that gives up the credit. The audit knows it. */
export function forfeitReference(customerId: number): string {
  return `deleted:${customerId}`;
}

/** Throws `account_kept` with the reason if an account cannot be deleted now. */
export function assertDeletable({ balance, held, openPayments }: DeletionFacts): void {
  if (balance < 0) {
    throw new VerbatimError('account_kept', `the account owes ${-balance} credits; pay them first`);
  }
  if (openPayments > 0) {
    const message = 'a payment is open; finish it, or wait until it expires';
    throw new VerbatimError('account_kept', message);
  }
  if (held > 0) {
    throw new VerbatimError('account_kept', 'a search is running; try again in a moment');
  }
}

/** Reads what stands in the way of a deletion. */
export function readDeletionFacts(
  db: Connection,
  { customerId, now }: { customerId: number; now: number },
): DeletionFacts {
  return db
    .prepare(
      `SELECT balance,
         (SELECT coalesce(sum(credits), 0) FROM api_keys JOIN open_holds
            ON open_holds.key_id = api_keys.id WHERE api_keys.customer_id = customers.id) AS held,
         (SELECT count(*) FROM payments WHERE customer_id = customers.id
            AND (state = 'unpaid' OR state = 'ordered' AND expires_at > ?)) AS openPayments
       FROM customers WHERE id = ?`,
    )
    .get(now, customerId) as DeletionFacts;
}

/**
 * Deletes a customer, all or nothing. Throws `account_kept` with the reason, `credit_changed` if the
 * balance is not what is given up, `not_found` unless the member is an owner, `second_factor_needed`,
 * and `wrong_code`. Stored answers are deleted apart, because they may be many.
 */
export function deleteCustomer(db: Connection, input: CustomerDeletion): void {
  const { customerId, memberId, proof, creditsForfeited, now } = input;
  const run = db.transaction(() => {
    const members = listMembers(db, customerId);
    const requester = members.find(({ id }) => id === memberId);
    if (requester?.role !== 'owner') throw new VerbatimError('not_found');
    const facts = readDeletionFacts(db, { customerId, now });
    assertDeletable(facts);
    if (facts.balance !== creditsForfeited) throw new VerbatimError('credit_changed');
    passSecondFactor(db, { email: requester.email, proof });
    if (creditsForfeited > 0) {
      const reference = forfeitReference(customerId);
      addPaymentEntry(db, {
        customerId,
        kind: 'adjust',
        credits: -creditsForfeited,
        reference,
        now,
      });
    }
    for (const member of members) deleteMember(db, member);
    endKeys(db, input);
    turnOffTopUp(db, { customerId });
    deleteQuestionsOf(db, customerId);
    db.prepare('UPDATE payments SET url = NULL WHERE customer_id = ?').run(customerId);
    db.prepare(
      `UPDATE customers SET email = ?, disabled_at = ?, low_balance = NULL, lanes = NULL
       WHERE id = ?`,
    ).run(pseudonymOf(customerId), now, customerId);
    for (const table of ['billing_notices', 'buyers']) {
      db.prepare(`DELETE FROM ${table} WHERE customer_id = ?`).run(customerId);
    }
  });
  deletingSecurely(db, () => run.immediate());
}

/** Ends the keys, and deletes their names, their earlier secrets, and what clients were granted. */
function endKeys(db: Connection, { customerId, now }: CustomerDeletion): void {
  const own = 'SELECT id FROM api_keys WHERE customer_id = ?';
  db.prepare('DELETE FROM client_codes WHERE customer_id = ?').run(customerId);
  db.prepare(
    `DELETE FROM client_tokens WHERE grant_id IN
       (SELECT id FROM client_grants WHERE key_id IN (${own}))`,
  ).run(customerId);
  db.prepare(
    `UPDATE client_grants SET client_id = ?, expires_at = min(expires_at, ?)
     WHERE key_id IN (${own})`,
  ).run(DELETED_NAME, now, customerId);
  db.prepare(`DELETE FROM replaced_secrets WHERE key_id IN (${own})`).run(customerId);
  db.prepare(
    `UPDATE api_keys SET name = ?, lanes = NULL,
       revoked_at = min(coalesce(revoked_at, expires_at, ?), ?) WHERE customer_id = ?`,
  ).run(DELETED_NAME, now, now, customerId);
}

/** Deletes stored answers of a customer. Returns how many: fewer than `limit` when none is left. */
export function deleteAnswersOf(
  db: Connection,
  { customerId, limit }: { customerId: number; limit: number },
): number {
  const some = db.prepare(
    `DELETE FROM stored_answers WHERE rowid IN (
       SELECT rowid FROM stored_answers WHERE customer_id = ? LIMIT ?)`,
  );
  return deletingSecurely(db, () => some.run(customerId, limit).changes);
}
