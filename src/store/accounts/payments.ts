/**
 * Purchases of credit: what was ordered, before the customer is sent to pay. What becomes of them
 * is in payment-events.ts.
 */
import type { Connection } from '../database/connection.ts';

/**
 * `mismatch`: paid, but not what was ordered, so that nothing was credited.
 * `unpaid`: the customer is through, but the money is still on its way.
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
  /** Stripe's Checkout session, where the customer pays at `url` until `expiresAt`. */
  session: string | null;
  url: string | null;
  expiresAt: number | null;
  paymentIntent: string | null;
  state: PaymentState;
  /** What its entries in the ledger add up to. */
  creditsGiven: number;
  createdAt: number;
}

export interface Order {
  /** Made with the form that is submitted: the same one is the same purchase. */
  orderId: string;
  customerId: number;
  credits: number;
  amount: number;
  currency: string;
  /** Purchases that the customer may begin in an hour. */
  perHourMax: number;
  now: number;
}

export type PlacedOrder = { payment: Payment } | { refusal: 'another_order' | 'too_many' };

export interface OpenedCheckout {
  orderId: string;
  session: string;
  url: string;
  expiresAt: number;
}

const HOUR_MS = 3_600_000;
const columns = `payments.id, order_id AS orderId, customer_id AS customerId, credits, amount,
  currency, session, url, expires_at AS expiresAt, payment_intent AS paymentIntent, state,
  credits_given AS creditsGiven, payments.created_at AS createdAt`;

/**
 * A step: the purchase of an order, a new one or, for an order that is repeated, the one that there
 * is. It is refused as `another_order` where the id was used for something else.
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
    return isSame ? { payment: known } : { refusal: 'another_order' };
  }
  const begun = db
    .prepare('SELECT count(*) FROM payments WHERE customer_id = ? AND created_at > ?')
    .pluck()
    .get(customerId, now - HOUR_MS);
  if (Number(begun) >= perHourMax) return { refusal: 'too_many' };
  db.prepare(
    `INSERT INTO payments (order_id, customer_id, credits, amount, currency, created_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  ).run(orderId, customerId, credits, amount, currency, now);
  return { payment: findPayment(db, 'order_id', orderId) as Payment };
}

/** A step: keeps where the order is paid. An event may have told the session already. */
export function openCheckout(db: Connection, checkout: OpenedCheckout): void {
  const { orderId, session, url, expiresAt } = checkout;
  db.prepare(
    `UPDATE payments SET session = ?, url = ?, expires_at = ?
     WHERE order_id = ? AND (session IS NULL OR session = ?)`,
  ).run(session, url, expiresAt, orderId, session);
}

/** The payment with this value in a column that has each value once. */
export function findPayment(
  db: Connection,
  column: 'order_id' | 'session' | 'payment_intent',
  value: string,
): Payment | undefined {
  return db.prepare(`SELECT ${columns} FROM payments WHERE ${column} = ?`).get(value) as
    | Payment
    | undefined;
}

export interface ListedPayment extends Payment {
  customer: string;
  /** Why an operator should look at it; null where nothing is wrong. */
  problem: string | null;
}

export interface ListOptions {
  /** Only those of one customer. */
  customerId?: number | undefined;
  limit: number;
}

/** Payments, newest first. */
export function listPayments(db: Connection, { customerId, limit }: ListOptions): ListedPayment[] {
  return db
    .prepare(
      `SELECT ${columns}, customers.email AS customer,
         (SELECT group_concat(problem, '; ') FROM payment_events
          WHERE payment_id = payments.id) AS problem
       FROM payments JOIN customers ON customers.id = customer_id
       WHERE @customerId IS NULL OR customer_id = @customerId
       ORDER BY payments.id DESC LIMIT @limit`,
    )
    .all({ customerId: customerId ?? null, limit }) as ListedPayment[];
}

/** An event that says to be of a payment of ours, which we do not have. */
export interface StrayEvent {
  id: string;
  kind: string;
  problem: string;
  createdAt: number;
}

/** Events with a problem and without a payment, newest first. */
export function listStrayEvents(db: Connection, limit: number): StrayEvent[] {
  return db
    .prepare(
      `SELECT id, kind, problem, created_at AS createdAt FROM payment_events
       WHERE payment_id IS NULL AND problem IS NOT NULL
       ORDER BY created_at DESC, id LIMIT ?`,
    )
    .all(limit) as StrayEvent[];
}
