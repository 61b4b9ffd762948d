/** Payments of a customer over some months, two of them disputed, and two with refunds to look at. */
import type { PaymentEvent } from '../../src/accounts/sql/payment-decisions.ts';
import { recordReconciled } from '../../src/accounts/sql/payment-events.ts';
import { openCheckout, placeOrder } from '../../src/accounts/sql/payments.ts';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { changeOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';

const DAY_MS = 86_400_000;
const price = { credits: 1_000, amount: 500, currency: 'usd' };

/** The name of an order from 1. */
export function orderName(number: number): string {
  return `order-in-picture-${number}`;
}

const daysAgo = (number: number): number => (number * 37) % 150;

export function fillPayments(db: Connection, customerId: number, count: number): void {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  for (const number of numbers.sort((a, b) => daysAgo(b) - daysAgo(a))) {
    const now = Date.now() - daysAgo(number) * DAY_MS;
    const [orderId, session] = [orderName(number), `cs_live_${number}`];
    changeOnSqlite(db, placeOrder({ orderId, customerId, ...price, perHourMax: 99, now }));
    const url = `https://checkout.stripe.com/c/pay/${session}`;
    changeOnSqlite(db, openCheckout({ orderId, session, url, expiresAt: now + DAY_MS }));
    const { amount, currency } = price;
    const of = { paymentIntent: `pi_3QhX${number}`, amount, currency, createdAt: now };
    const paid = { session, orderId, state: 'paid', ...of } as const;
    const events: PaymentEvent[] = [{ kind: 'session', id: `evt_${number}`, ...paid }];
    const further = furtherEvents[number]?.({ ...of, orderId });
    if (further !== undefined) events.push(further);
    changeOnSqlite(db, recordReconciled({ events, now }));
  }
}

interface Paid {
  paymentIntent: string;
  amount: number;
  currency: string;
  createdAt: number;
  orderId: string;
}

/** What comes after some payments, by their numbers. */
const furtherEvents: Readonly<Record<number, (of: Paid) => PaymentEvent>> = {
  7: (of) => ({ kind: 'dispute', id: 'evt_d', dispute: 'du_1QhX7', takesBack: true, ...of }),
  8: (of) => ({ kind: 'dispute', id: 'evt_e', dispute: 'du_1QhX8', takesBack: false, ...of }),
  9: (of) => ({ kind: 'refund', id: 'evt_r', refund: 're_3QhX9', hasFailed: true, ...of }),
  10: (of) => ({ kind: 'refund_sum', id: 'evt_s', ...of, currency: 'eur' }),
};
