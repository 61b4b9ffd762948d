/** Payments with which something is wrong, or may become so: problems, disputes, failed refunds. */
import { query, type Sql } from '../../database/sql/sql.ts';
import { type ListedPayment, listedColumns, listStrayEvents, type StrayEvent } from './payments.ts';

/** Whose payment it is. All null if the payment is unknown here. */
interface OfPayment {
  paymentId: number | null;
  customerId: number | null;
  customer: string | null;
}

export interface ListedDispute extends OfPayment {
  id: string;
  paymentIntent: string;
  amount: number;
  currency: string;
  /** Whether the payer has the money back, or may get it. */
  takesBack: boolean;
  changedAt: number;
}

/** With the truth value under a name by which the runner on SQLite knows it. */
type StoredDispute = Omit<ListedDispute, 'takesBack'> & { isTakenBack: boolean };

/** A refund whose money stayed with the operator after all. Its credit was restored. */
export interface FailedRefund extends OfPayment {
  id: string;
  paymentIntent: string;
  amount: number;
  currency: string;
}

export interface PaymentsToReview {
  /** Those with a problem, newest first. */
  payments: ListedPayment[];
  /** Events with a problem that belong to no payment. */
  strays: StrayEvent[];
  /** Latest first. */
  disputes: ListedDispute[];
  failedRefunds: FailedRefund[];
}

/** Lists at most `limit` of each. */
export function* listPaymentsToReview({ limit }: { limit: number }): Sql<PaymentsToReview> {
  const disputes = yield* query<StoredDispute>(disputesSql, [limit]);
  return {
    payments: yield* query<ListedPayment>(problemsSql, [limit]),
    strays: yield* listStrayEvents(limit),
    disputes: disputes.map(({ isTakenBack, ...rest }) => ({ ...rest, takesBack: isTakenBack })),
    failedRefunds: yield* query<FailedRefund>(failedRefundsSql, [limit]),
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
    takes_back AS "isTakenBack", changed_at AS "changedAt", ${ofPayment}
  FROM payment_disputes d LEFT JOIN payments ON payments.payment_intent = d.payment_intent
  LEFT JOIN customers ON customers.id = customer_id
  ORDER BY changed_at DESC, d.id LIMIT $1`;

const failedRefundsSql = `
  SELECT r.id, r.payment_intent AS "paymentIntent", r.amount, r.currency, ${ofPayment}
  FROM refunds r LEFT JOIN payments ON payments.payment_intent = r.payment_intent
  LEFT JOIN customers ON customers.id = customer_id
  WHERE r.failed ORDER BY payments.id DESC NULLS LAST, r.id LIMIT $1`;
