/** Payments with which something is wrong, or may become so, on PostgreSQL. */

import type { Queries } from '../../database/postgres/postgres-database.ts';
import type { ListedPayment } from '../sql/payments.ts';
import type { FailedRefund, ListedDispute, PaymentsToReview } from '../sql/payments-to-review.ts';
import { listedColumns, listStrayEvents } from './postgres-payments.ts';

/** Lists at most `limit` of each. */
export async function listPaymentsToReview(
  queries: Queries,
  { limit }: { limit: number },
): Promise<PaymentsToReview> {
  const { query } = queries;
  return {
    payments: await query<ListedPayment>(problemsSql, [limit]),
    strays: await listStrayEvents(queries, limit),
    disputes: await query<ListedDispute>(disputesSql, [limit]),
    failedRefunds: await query<FailedRefund>(failedRefundsSql, [limit]),
  };
}

const problemsSql = `
  SELECT ${listedColumns} FROM payments JOIN customers ON customers.id = customer_id
  WHERE state = 'mismatch' OR payments.id IN
    (SELECT payment_id FROM payment_events WHERE problem IS NOT NULL)
  ORDER BY payments.id DESC LIMIT $1`;

const ofPayment = `payments.id AS "paymentId", customers.id AS "customerId", email AS customer`;

const disputesSql = `
  SELECT d.id, d.payment_intent AS "paymentIntent", d.amount, d.currency,
    takes_back AS "takesBack", changed_at AS "changedAt", ${ofPayment}
  FROM payment_disputes d LEFT JOIN payments ON payments.payment_intent = d.payment_intent
  LEFT JOIN customers ON customers.id = customer_id
  ORDER BY changed_at DESC, d.id LIMIT $1`;

const failedRefundsSql = `
  SELECT r.id, r.payment_intent AS "paymentIntent", r.amount, r.currency, ${ofPayment}
  FROM refunds r LEFT JOIN payments ON payments.payment_intent = r.payment_intent
  LEFT JOIN customers ON customers.id = customer_id
  WHERE r.failed ORDER BY payments.id DESC NULLS LAST, r.id LIMIT $1`;
