/** Mail about billing on PostgreSQL, with the meaning of accounts/billing-notices.ts. */
import { type BillingNotice, type ClaimedNotice, holds } from '../accounts/billing-notices.ts';
import { lockCustomer } from './customer-lock.ts';
import type { Database, Queries } from './database.ts';

export async function listDueNotices(
  { query }: Queries,
  { now, atMost }: { now: number; atMost: number },
): Promise<BillingNotice[]> {
  return await query(
    `SELECT customer_id AS "customerId", kind FROM billing_notices
     WHERE claimed_at IS NULL AND retry_at <= $1 ORDER BY retry_at LIMIT $2`,
    [now, atMost],
  );
}

interface Reason extends Omit<ClaimedNotice, keyof BillingNotice | 'recipients'> {
  disabledAt: number | null;
}

/** Claims a notice. Of several nodes one gets it. */
export function claimNotice(
  database: Database,
  { customerId, kind, now }: BillingNotice & { now: number },
): Promise<ClaimedNotice | undefined> {
  return database.transaction(async (queries) => {
    // Otherwise a fall that is not committed yet would be told by nobody.
    await lockCustomer(queries, customerId);
    const claimed = await queries.query(
      `UPDATE billing_notices SET claimed_at = $3, attempts = attempts + 1
       WHERE customer_id = $1 AND kind = $2 AND claimed_at IS NULL RETURNING 1`,
      [customerId, kind, now],
    );
    if (claimed.length === 0) return undefined;
    const [row] = await queries.query<Reason>(
      `SELECT balance, low_balance AS "lowBalance", disabled_at AS "disabledAt",
         (SELECT paused_for FROM automatic_top_ups WHERE customer_id = customers.id) AS "pausedFor"
       FROM customers WHERE id = $1`,
      [customerId],
    );
    const { disabledAt, ...reason } = row as Reason;
    if (disabledAt !== null || !holds(kind, reason)) {
      await deleteNotice(queries, { customerId, kind });
      return undefined;
    }
    const members = await queries.query<{ email: string }>(
      `SELECT email FROM members WHERE customer_id = $1 AND role IN ('owner', 'billing')
         AND password_hash IS NOT NULL ORDER BY id`,
      [customerId],
    );
    return { customerId, kind, ...reason, recipients: members.map(({ email }) => email) };
  });
}

export async function returnNotice(
  { query }: Queries,
  {
    customerId,
    kind,
    retryAt,
    attemptsMax,
  }: BillingNotice & { retryAt: number; attemptsMax: number },
): Promise<void> {
  await query(
    `UPDATE billing_notices SET claimed_at = NULL, retry_at = $3
     WHERE customer_id = $1 AND kind = $2 AND attempts < $4`,
    [customerId, kind, retryAt, attemptsMax],
  );
}

export async function deleteNotice(
  { query }: Queries,
  { customerId, kind }: BillingNotice,
): Promise<void> {
  await query('DELETE FROM billing_notices WHERE customer_id = $1 AND kind = $2', [
    ...[customerId, kind],
  ]);
}

/** In the transaction that added credit. */
export async function allowNextWarning({ query }: Queries, customerId: number): Promise<void> {
  await query(
    `DELETE FROM billing_notices WHERE customer_id = $1 AND kind = 'low_balance'
       AND (SELECT balance >= low_balance FROM customers WHERE id = $1)`,
    [customerId],
  );
}
