/** Orders as the program leaves them when the customer is sent to pay. */
import { randomUUID } from 'node:crypto';
import { toPaymentEvent } from '../../../src/accounts/payments/stripe-events.ts';
import type { EventResult } from '../../../src/accounts/sql/payment-decisions.ts';
import { recordPaymentEvent } from '../../../src/accounts/sql/payment-events.ts';
import { openCheckout, placeOrder } from '../../../src/accounts/sql/payments.ts';
import { openStore } from '../../../src/database/open.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { changeOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { NOW } from '../../support/accounts.ts';
import type { PaidOrder } from './stripe-stub.ts';

export interface OrderOptions {
  customerId?: number;
  credits?: number;
  amount?: number;
  currency?: string;
}

let sessions = 0;

/** An order of 1,000 credits for 500 cents, with its session. */
export function addOrder(db: Connection, options: OrderOptions = {}): PaidOrder {
  const { customerId = 1, credits = 1_000, amount = 500, currency = 'usd' } = options;
  const orderId = randomUUID();
  const session = `cs_test_order_${++sessions}`;
  const url = `https://checkout.stripe.com/c/pay/${session}`;
  const order = { orderId, customerId, credits, amount, currency, perHourMax: 1_000, now: NOW };
  const placed = changeOnSqlite(db, placeOrder(order));
  if ('rejection' in placed) throw new Error('the order was rejected');
  changeOnSqlite(db, openCheckout({ orderId, session, url, expiresAt: NOW + 86_400_000 }));
  return { orderId, session, paymentIntent: `pi_${session}`, amount, currency };
}

/** What the program does with an event of Stripe, without a server. */
export function take(db: Connection, event: Record<string, unknown>): EventResult {
  const paymentEvent = toPaymentEvent(event);
  if (paymentEvent === undefined) throw new Error('the event says nothing about credit');
  return changeOnSqlite(db, recordPaymentEvent({ event: paymentEvent, now: NOW }));
}

/** Works on a database beside the server that runs on it, as another process would. */
export function inStore<Result>(database: string, work: (db: Connection) => Result): Result {
  const db = openStore({ path: database, lockWaitMs: 5_000 });
  try {
    return work(db);
  } finally {
    db.close();
  }
}
