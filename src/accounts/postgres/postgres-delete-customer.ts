/** The deletion of a customer on PostgreSQL, with the meaning of accounts/delete-customer.ts. */

import type { Database, Queries } from '../../database/postgres/postgres-database.ts';
import { VerbatimError } from '../../errors.ts';
import { pseudonymOf } from '../sql/customers.ts';
import {
  assertDeletable,
  type CustomerDeletion,
  DELETED_NAME,
  type DeletionFacts,
  forfeitReference,
} from '../sql/delete-customer.ts';
import { deleteQuestionsOf } from './postgres-answer-outcomes.ts';
import { endTopUp } from './postgres-automatic-top-ups.ts';
import { lockCustomer } from './postgres-customer-lock.ts';
import { addPaymentEntry } from './postgres-customers.ts';
import { deleteMember, listMembers } from './postgres-members.ts';
import { passSecondFactor } from './postgres-second-factors.ts';

/** Reads what stands in the way of a deletion. */
export async function readDeletionFacts(
  { query }: Queries,
  { customerId, now }: { customerId: number; now: number },
): Promise<DeletionFacts> {
  const [facts] = await query<DeletionFacts>(
    `SELECT balance,
       (SELECT coalesce(sum(credits), 0)::bigint FROM open_holds
          WHERE key_id IN (SELECT id FROM api_keys WHERE api_keys.customer_id = customers.id))
         AS held,
       (SELECT count(*) FROM payments WHERE customer_id = customers.id
          AND (state = 'unpaid' OR state = 'ordered' AND expires_at > $2)) AS "openPayments"
     FROM customers WHERE id = $1`,
    [customerId, now],
  );
  if (facts === undefined) throw new VerbatimError('not_found');
  return facts;
}

/** Deletes a customer, all or nothing. Throws as on SQLite. */
export function deleteCustomer(database: Database, input: CustomerDeletion): Promise<void> {
  const { customerId, memberId, proof, creditsForfeited, now } = input;
  return database.transaction(async (queries) => {
    await lockCustomer(queries, customerId);
    const members = await listMembers(queries, customerId);
    const requester = members.find(({ id }) => id === memberId);
    if (requester?.role !== 'owner') throw new VerbatimError('not_found');
    const facts = await readDeletionFacts(queries, { customerId, now });
    assertDeletable(facts);
    if (facts.balance !== creditsForfeited) throw new VerbatimError('credit_changed');
    await passSecondFactor(queries, { email: requester.email, proof });
    if (creditsForfeited > 0) {
      const reference = forfeitReference(customerId);
      const credits = -creditsForfeited;
      await addPaymentEntry(queries, { customerId, kind: 'adjust', credits, reference, now });
    }
    for (const member of members) await deleteMember(queries, member);
    await endKeys(queries, input);
    await endTopUp(queries, customerId);
    await deleteQuestionsOf(queries, customerId);
    await queries.query('UPDATE payments SET url = NULL WHERE customer_id = $1', [customerId]);
    await queries.query(
      `UPDATE customers SET email = $2, disabled_at = $3, low_balance = NULL, lanes = NULL
       WHERE id = $1`,
      [customerId, pseudonymOf(customerId), now],
    );
    for (const table of ['billing_notices', 'buyers']) {
      await queries.query(`DELETE FROM ${table} WHERE customer_id = $1`, [customerId]);
    }
  });
}

async function endKeys({ query }: Queries, { customerId, now }: CustomerDeletion): Promise<void> {
  const own = 'SELECT id FROM api_keys WHERE customer_id = $1';
  await query('DELETE FROM client_codes WHERE customer_id = $1', [customerId]);
  await query(
    `DELETE FROM client_tokens WHERE grant_id IN
       (SELECT id FROM client_grants WHERE key_id IN (${own}))`,
    [customerId],
  );
  await query(
    `UPDATE client_grants SET client_id = $2, expires_at = least(expires_at, $3)
     WHERE key_id IN (${own})`,
    [customerId, DELETED_NAME, now],
  );
  await query(`DELETE FROM replaced_secrets WHERE key_id IN (${own})`, [customerId]);
  await query(
    `UPDATE api_keys SET name = $2, lanes = NULL,
       revoked_at = least(coalesce(revoked_at, expires_at, $3), $3) WHERE customer_id = $1`,
    [customerId, DELETED_NAME, now],
  );
}

/** Deletes stored answers of a customer. Returns how many: fewer than `limit` when none is left. */
export async function deleteAnswersOf(
  { query }: Queries,
  { customerId, limit }: { customerId: number; limit: number },
): Promise<number> {
  const rows = await query(
    `DELETE FROM stored_answers WHERE (customer_id, idempotency_key) IN (
       SELECT customer_id, idempotency_key FROM stored_answers WHERE customer_id = $1 LIMIT $2)
     RETURNING 1`,
    [customerId, limit],
  );
  return rows.length;
}
