/**
 * Orders of credit, stored before the customer is sent to pay. payment-events.ts handles what
 * follows.
 */
import type { Connection } from '../../database/sqlite/connection.ts';

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
const columns = `payments.id, order_id AS orderId, customer_id AS customerId, credits, amount,
  currency, session, url, expires_at AS expiresAt, payment_intent AS paymentIntent, state,
  credits_given AS creditsGiven, payments.created_at AS createdAt,
  payment_method AS paymentMethod`;

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
            AND r.currency = payments.currency), 0) AS refundsReported,
  coalesce((SELECT sum(r.amount) FROM refunds r WHERE r.payment_intent = payments.payment_intent
            AND r.currency = payments.currency AND NOT r.failed), 0) AS refundsListed,
  coalesce((SELECT sum(r.amount) FROM refunds r WHERE r.payment_intent = payments.payment_intent
            AND r.currency = payments.currency AND r.failed), 0) AS refundsFailed,
  coalesce((SELECT sum(iif(d.currency = payments.currency, d.amount, payments.amount))
            FROM payment_disputes d WHERE d.payment_intent = payments.payment_intent
            AND d.takes_back), 0) AS disputed`;

/**
 * A step: stores a new order, or returns the stored one if the order is repeated. Rejects it as
 * `another_order` if the id was used for something else.
 */
export function placeOrder(db: Connection, order: Order): PlacedOrder {
  const { orderId, customerId, credits, amount, currency, perHourMax, now } = order;
  const known = findPayment(db, 'order_id', orderId);
  if (known !== undefined) {
    const isSame =
      known.customerId === customerId &&
      known.credits === credits &&
      known.amount === amount &&
      known.currency === currency;
    return isSame ? { payment: known } : { rejection: 'another_order' };
  }
  const begun = db
    .prepare('SELECT count(*) FROM payments WHERE customer_id = ? AND created_at > ?')
    .pluck()
    .get(customerId, now - HOUR_MS);
  if (Number(begun) >= perHourMax) return { rejection: 'too_many' };
  db.prepare(
    `INSERT INTO payments (order_id, customer_id, credits, amount, currency, created_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  ).run(orderId, customerId, credits, amount, currency, now);
  return { payment: findPayment(db, 'order_id', orderId) as Payment };
}

/** A step: stores where the order is paid. An event may have named the session already. */
export function openCheckout(db: Connection, checkout: OpenedCheckout): void {
  const { orderId, session, url, expiresAt } = checkout;
  db.prepare(
    `UPDATE payments SET session = ?, url = ?, expires_at = ?
     WHERE order_id = ? AND (session IS NULL OR session = ?)`,
  ).run(session, url, expiresAt, orderId, session);
}

/** Finds the payment by a unique column. */
export function findPayment(
  db: Connection,
  column: 'order_id' | 'session' | 'payment_intent',
  value: string,
): Payment | undefined {
  return db.prepare(`SELECT ${columns} FROM payments WHERE ${column} = ?`).get(value) as
    | Payment
    | undefined;
}

/** A payment as its customer sees it. */
export interface OwnPayment extends Payment, StoredReversals {
  /** When its credit was added; null: not yet. */
  paidAt: number | null;
  /** Why the operator should review it; null if nothing is wrong. */
  problem: string | null;
}

export interface PaymentPage {
  /** Newest first. */
  payments: OwnPayment[];
  hasOlder: boolean;
}

export interface PaymentPageRequest {
  customerId: number;
  /** Continues after this payment, with older ones. */
  before?: number | undefined;
  paymentsMax: number;
}

const ownColumns = `${columns}, ${reversalColumns},
  (SELECT e.created_at FROM ledger_entries e WHERE e.reference = payments.session) AS paidAt,
  (SELECT group_concat(problem, '; ') FROM payment_events
   WHERE payment_id = payments.id) AS problem`;

/** Reads a page of a customer's payments. New payments shift nothing. */
export function readPaymentPage(
  db: Connection,
  { customerId, before, paymentsMax }: PaymentPageRequest,
): PaymentPage {
  const rows = db
    .prepare(
      `SELECT ${ownColumns} FROM payments WHERE customer_id = :customerId
         AND (:before IS NULL OR (created_at, id) < (SELECT created_at, id FROM payments
           WHERE id = :before AND customer_id = :customerId))
       ORDER BY created_at DESC, id DESC LIMIT :rows`,
    )
    .all({ customerId, before: before ?? null, rows: paymentsMax + 1 }) as OwnPayment[];
  return { payments: rows.slice(0, paymentsMax), hasOlder: rows.length > paymentsMax };
}

/** Finds a payment of a customer by its order; undefined if they have none. */
export function findOwnPayment(
  db: Connection,
  { customerId, orderId }: { customerId: number; orderId: string },
): OwnPayment | undefined {
  return db
    .prepare(`SELECT ${ownColumns} FROM payments WHERE order_id = ? AND customer_id = ?`)
    .get(orderId, customerId) as OwnPayment | undefined;
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
export const listedColumns = `${columns}, customers.email AS customer,
  (SELECT group_concat(problem, '; ') FROM payment_events
   WHERE payment_id = payments.id) AS problem`;

/** Lists payments, newest first. */
export function listPayments(db: Connection, { customerId, limit }: ListOptions): ListedPayment[] {
  return db
    .prepare(
      `SELECT ${listedColumns} FROM payments JOIN customers ON customers.id = customer_id
       WHERE @customerId IS NULL OR customer_id = @customerId
       ORDER BY payments.id DESC LIMIT @limit`,
    )
    .all({ customerId: customerId ?? null, limit }) as ListedPayment[];
}

/** An event that claims to belong to a payment that we do not have. */
export interface StrayEvent {
  id: string;
  kind: string;
  problem: string;
  createdAt: number;
}

/** Lists events with a problem and without a payment, newest first. */
export function listStrayEvents(db: Connection, limit: number): StrayEvent[] {
  return db
    .prepare(
      `SELECT id, kind, problem, created_at AS createdAt FROM payment_events
       WHERE payment_id IS NULL AND problem IS NOT NULL
       ORDER BY created_at DESC, id LIMIT ?`,
    )
    .all(limit) as StrayEvent[];
}
