/** Mail about billing on PostgreSQL, with the meaning of accounts/billing-notices.ts. */

import type { Database, Queries } from '../../database/postgres/postgres-database.ts';
import { type BillingNotice, type ClaimedNotice, holds } from '../sql/billing-notice-rows.ts';
import { monthStart } from '../sql/calendar-month.ts';
import { lockCustomer } from './postgres-customer-lock.ts';
import { findAutomaticTopUp } from './postgres-top-up-agreements.ts';

export async function listDueNotices(
  { query }: Queries,
  { now, limit }: { now: number; limit: number },
): Promise<BillingNotice[]> {
  return await query(
    `SELECT customer_id AS "customerId", kind FROM billing_notices
     WHERE claimed_at IS NULL AND retry_at <= $1 ORDER BY retry_at LIMIT $2`,
    [now, limit],
  );
}

interface Facts extends Pick<ClaimedNotice, 'balance' | 'lowBalance'> {
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
    const [row] = await queries.query<Facts>(
      `SELECT balance, low_balance AS "lowBalance", disabled_at AS "disabledAt"
       FROM customers WHERE id = $1`,
      [customerId],
    );
    const { disabledAt, ...balances } = row as Facts;
    const month = { customerId, monthStart: monthStart(now) };
    const reason = { ...balances, topUp: await findAutomaticTopUp(queries, month) };
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
