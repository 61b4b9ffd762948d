/** What customers have agreed to, on PostgreSQL, with the meaning of accounts/top-up-agreements.ts. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { AutomaticTopUp } from '../sql/top-up-agreements.ts';

/** The sum of a customer's automatic orders since $2 that were not declined. */
export const amountOfMonth = (customer: string): string =>
  `(SELECT coalesce(sum(p.amount), 0)::bigint FROM payments p WHERE p.customer_id = ${customer}
    AND p.created_at >= $2 AND p.payment_method IS NOT NULL AND p.state <> 'failed')`;

export async function findAutomaticTopUp(
  { query }: Queries,
  { customerId, monthStart }: { customerId: number; monthStart: number },
): Promise<AutomaticTopUp | undefined> {
  const rows = await query<AutomaticTopUp>(
    `SELECT customer_id AS "customerId", set_up AS "setUp", threshold, credits, amount, currency,
       amount_per_month_max AS "amountPerMonthMax", card, paused_for AS "pausedFor",
       ${amountOfMonth('automatic_top_ups.customer_id')} AS "amountOfMonth"
     FROM automatic_top_ups WHERE customer_id = $1`,
    [customerId, monthStart],
  );
  return rows[0];
}
