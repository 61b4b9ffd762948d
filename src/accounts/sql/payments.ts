/**
 * Orders of credit, stored before the customer is sent to pay. payment-events.ts handles what
 * follows.
 */
import { query, queryFirst, type Sql, takeLock } from '../../database/sql/sql.ts';
import { lockEnabledCustomer } from './lock-enabled-customer.ts';
import { type Page, pageOf } from './row-pages.ts';

/**
 * `mismatch`: paid, but not as ordered, so nothing was credited.
 * `unpaid`: the customer has finished, but the money has not arrived.
 */
export type PaymentState = 'ordered' | 'unpaid' | 'paid' | 'failed' | 'expired' | 'mismatch';

export interface Payment {
  id: number;
  orderId: string;
  customerId: number;
  credits: number;
  /** In the smallest unit of the currency. */
  amount: number;
  currency: string;
  /**
   * Stripe's Checkout session; the customer pays at `url` until `expiresAt`. An automatic payment has none,
   * and the name of its payment intent here.
   */
  session: string | null;
  url: string | null;
  expiresAt: number | null;
  paymentIntent: string | null;
  state: PaymentState;
  /** The sum of its ledger entries. */
  creditsGiven: number;
  createdAt: number;
  /** The saved card of an automatic payment; null for one that the customer makes. */
  paymentMethod: string | null;
  /** The number of its receipt among those of its customer; null: it has not arrived. */
  receipt: number | null;
  /** When the customer gave up the order; null: they have not. It is then `expired`, until money arrives. */
  canceledAt: number | null;
}

export interface Order {
  /** Created with the form, so that a repeated form is the same purchase. */
  orderId: string;
  customerId: number;
  credits: number;
  amount: number;
  currency: string;
  /** The purchases that a customer may start in an hour. */
  perHourMax: number;
  now: number;
}

export type PlacedOrder = { payment: Payment } | { rejection: 'another_order' | 'too_many' };

export interface OpenedCheckout {
  orderId: string;
  session: string;
  url: string;
  expiresAt: number;
}

const HOUR_MS = 3_600_000;
/** Any number that nothing else uses. */
const PAYMENTS_LOCK = 2_718_281;
const columns = `payments.id, order_id AS "orderId", customer_id AS "customerId", credits, amount,
  currency, session, url, expires_at AS "expiresAt", payment_intent AS "paymentIntent", state,
  credits_given AS "creditsGiven", payments.created_at AS "createdAt",
  payment_method AS "paymentMethod", receipt, canceled_at AS "canceledAt"`;

/**
 * Lets the other transactions that change payments wait. Orders and events are rare, and an event may
 * concern a payment that nobody knows yet. Automatic orders need no more than the lock of their customer.
 */
export function* lockPayments(): Sql<void> {
  yield* takeLock(PAYMENTS_LOCK);
}

/** What is stored about a payment's refunds and disputes, in the smallest unit of its currency. */
export interface StoredReversals {
  /** The largest sum of refunds that was reported, including those that failed later. */
  refundsReported: number;
  /** Single refunds that have not failed. */
  refundsListed: number;
  refundsFailed: number;
  /** A dispute in another currency counts in full. */
  disputed: number;
}

/**
 * Columns of `StoredReversals`. The share of a dispute in another currency is unknown, so it counts in
 * full and is reported as a problem.
 */
export const reversalColumns = `
  coalesce((SELECT r.amount FROM payment_refunds r WHERE r.payment_intent = payments.payment_intent
            AND r.currency = payments.currency), 0) AS "refundsReported",
  CAST(coalesce((SELECT sum(r.amount) FROM refunds r WHERE r.payment_intent = payments.payment_intent
                 AND r.currency = payments.currency AND NOT r.failed), 0) AS bigint) AS "refundsListed",
  CAST(coalesce((SELECT sum(r.amount) FROM refunds r WHERE r.payment_intent = payments.payment_intent
                 AND r.currency = payments.currency AND r.failed), 0) AS bigint) AS "refundsFailed",
  CAST(coalesce((SELECT sum(CASE WHEN d.currency = payments.currency THEN d.amount
                                 ELSE payments.amount END)
                 FROM payment_disputes d WHERE d.payment_intent = payments.payment_intent
                 AND d.takes_back), 0) AS bigint) AS disputed`;

/**
 * Stores a new order, or returns the stored one if the order is repeated. Rejects it as `another_order`
 * if the id was used for something else, and as `too_many` if the customer has started too many purchases.
 * Throws `unknown_customer` for one that is disabled or deleted.
 */
export function* placeOrder(order: Order): Sql<PlacedOrder> {
  const { orderId, customerId, credits, amount, currency, perHourMax, now } = order;
  yield* lockPayments();
  const known = yield* findPayment('order_id', orderId);
  if (known !== undefined) {
    const isSame =
      known.customerId === customerId &&
      known.credits === credits &&
      known.amount === amount &&
      known.currency === currency;
    return isSame ? { payment: known } : { rejection: 'another_order' };
  }
  yield* lockEnabledCustomer(customerId);
  const begun = yield* query('SELECT 1 FROM payments WHERE customer_id = $1 AND created_at > $2', [
    ...[customerId, now - HOUR_MS],
  ]);
  if (begun.length >= perHourMax) return { rejection: 'too_many' };
  const payment = yield* queryFirst<Payment>(
    `INSERT INTO payments (order_id, customer_id, credits, amount, currency, created_at)
     VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${columns}`,
    [orderId, customerId, credits, amount, currency, now],
  );
  return { payment: payment as Payment };
}

/**
 * Stores where an order is paid. An event may have named the session already; a later checkout of the
 * same order changes nothing. May be repeated.
 */
export function* openCheckout({ orderId, session, url, expiresAt }: OpenedCheckout): Sql<void> {
  yield* query(
    `UPDATE payments SET session = $1, url = $2, expires_at = $3
     WHERE order_id = $4 AND (session IS NULL OR session = $1)`,
    [session, url, expiresAt, orderId],
  );
}

/**
 * Gives up the orders of a customer that only they could pay: one, or all. Money that arrives nevertheless
 * is credited as before. Returns whether there were any. May be repeated.
 */
export function* cancelOrders({
  customerId,
  orderId,
  now,
}: {
  customerId: number;
  orderId?: string;
  now: number;
}): Sql<boolean> {
  const [one, values] = orderId === undefined ? ['', []] : ['AND order_id = $3', [orderId]];
  const canceled = yield* query(
    `UPDATE payments SET state = 'expired', canceled_at = $2, url = NULL
     WHERE customer_id = $1 AND state = 'ordered' AND payment_method IS NULL ${one} RETURNING 1`,
    [customerId, now, ...values],
  );
  return canceled.length > 0;
}

/** Lists the orders of a customer that they could still pay, with a session of Stripe's. */
export function* listOpenCheckouts({
  customerId,
  now,
}: {
  customerId: number;
  now: number;
}): Sql<Payment[]> {
  return yield* query<Payment>(
    `SELECT ${columns} FROM payments WHERE customer_id = $1 AND state = 'ordered'
       AND payment_method IS NULL AND session IS NOT NULL AND expires_at > $2 ORDER BY id`,
    [customerId, now],
  );
}

/** Finds the payment by a unique column. */
export function* findPayment(
  column: 'order_id' | 'session' | 'payment_intent',
  value: string,
): Sql<Payment | undefined> {
  const text = `SELECT ${columns} FROM payments WHERE ${column} = $1`;
  return yield* queryFirst<Payment>(text, [value]);
}

/** A payment as its customer sees it. */
export interface OwnPayment extends Payment, StoredReversals {
  /** When its credit was added; null: not yet. */
  paidAt: number | null;
  /** Why the operator should review it; null if nothing is wrong. */
  problem: string | null;
  /** Whether an alert about its problem reached an operator. */
  isOperatorNotified: boolean;
}

export interface PaymentPageRequest {
  customerId: number;
  /** Continues after this payment, with older ones. */
  before?: number | undefined;
  paymentsMax: number;
}

/** What the operator should review; null if nothing is wrong. */
const problem = `(SELECT string_agg(problem, '; ') FROM payment_events
   WHERE payment_id = payments.id) AS problem`;

/** Compares the last problem of a payment with the last one that was told. */
const isOperatorNotified = `EXISTS (SELECT 1 FROM alert_states WHERE kind = 'payments'
   AND told >= (SELECT max(received_at) FROM payment_events
     WHERE payment_id = payments.id AND problem IS NOT NULL)) AS "isOperatorNotified"`;

const ownColumns = `${columns}, ${reversalColumns}, ${problem}, ${isOperatorNotified},
  (SELECT e.created_at FROM ledger_entries e WHERE e.reference = payments.session) AS "paidAt"`;

/** Reads a page of a customer's payments. */
export function* readPaymentPage({
  customerId,
  before,
  paymentsMax,
}: PaymentPageRequest): Sql<Page<OwnPayment>> {
  const older = `AND (created_at, id) <
    (SELECT created_at, id FROM payments WHERE id = $3 AND customer_id = $1)`;
  const rows = yield* query<OwnPayment>(
    `SELECT ${ownColumns} FROM payments WHERE customer_id = $1 ${before === undefined ? '' : older}
     ORDER BY created_at DESC, id DESC LIMIT $2`,
    [customerId, paymentsMax + 1, ...(before === undefined ? [] : [before])],
  );
  return pageOf(rows, paymentsMax);
}

/** Finds a payment by its id. */
export function* findPaymentOf(id: number): Sql<OwnPayment | undefined> {
  return yield* queryFirst<OwnPayment>(`SELECT ${ownColumns} FROM payments WHERE id = $1`, [id]);
}

/** Finds a payment of a customer by its order; undefined if they have none. */
export function* findOwnPayment({
  customerId,
  orderId,
}: {
  customerId: number;
  orderId: string;
}): Sql<OwnPayment | undefined> {
  return yield* queryFirst<OwnPayment>(
    `SELECT ${ownColumns} FROM payments WHERE order_id = $1 AND customer_id = $2`,
    [orderId, customerId],
  );
}

export interface ListedPayment extends Payment {
  customer: string;
  /** What the operator should review; null if nothing is wrong. */
  problem: string | null;
}

export interface ListOptions {
  /** Only the payments of one customer. */
  customerId?: number | undefined;
  limit: number;
}

/** The columns of a `ListedPayment`, of payments joined with their customers. */
export const listedColumns = `${columns}, customers.email AS customer, ${problem}`;

/** Lists payments, newest first. */
export function* listPayments({ customerId, limit }: ListOptions): Sql<ListedPayment[]> {
  return yield* query<ListedPayment>(
    `SELECT ${listedColumns} FROM payments JOIN customers ON customers.id = customer_id
     ${customerId === undefined ? '' : 'WHERE customer_id = $2'} ORDER BY payments.id DESC LIMIT $1`,
    customerId === undefined ? [limit] : [limit, customerId],
  );
}

/** An event that claims to belong to a payment that we do not have. */
export interface StrayEvent {
  id: string;
  kind: string;
  problem: string;
  createdAt: number;
}

/** Lists events with a problem and without a payment, newest first. */
export function* listStrayEvents(limit: number): Sql<StrayEvent[]> {
  return yield* query<StrayEvent>(
    `SELECT id, kind, problem, created_at AS "createdAt" FROM payment_events
     WHERE payment_id IS NULL AND problem IS NOT NULL
     ORDER BY created_at DESC, id LIMIT $1`,
    [limit],
  );
}
