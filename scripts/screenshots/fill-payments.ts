/** Payments of a customer over some months, one of them disputed, for the operator's pictures and for the times of pages. */
import type { PaymentEvent } from '../../src/accounts/sql/payment-decisions.ts';
import { recordPaymentEvent } from '../../src/accounts/sql/payment-events.ts';
import { openCheckout, placeOrder } from '../../src/accounts/sql/payments.ts';
import { inStore } from '../../test/support/history.ts';

const DAY_MS = 86_400_000;
const price = { credits: 1_000, amount: 500, currency: 'usd' };

/** The name of an order from 1. */
export function orderName(number: number): string {
  return `order-in-picture-${number}`;
}

const daysAgo = (number: number): number => (number * 37) % 150;

export function fillPayments(database: string, customerId: number, count: number): void {
  inStore(database, (db) => {
    const numbers = Array.from({ length: count }, (_, index) => index + 1);
    for (const number of numbers.sort((a, b) => daysAgo(b) - daysAgo(a))) {
      const now = Date.now() - daysAgo(number) * DAY_MS;
      const [orderId, session] = [orderName(number), `cs_live_${number}`];
      const paymentIntent = `pi_3QhX${number}`;
      placeOrder(db, { orderId, customerId, ...price, perHourMax: 99, now });
      const url = `https://checkout.stripe.com/c/pay/${session}`;
      openCheckout(db, { orderId, session, url, expiresAt: now + DAY_MS });
      const { amount, currency } = price;
      const of = { paymentIntent, amount, currency, createdAt: now };
      const events: PaymentEvent[] = [
        { kind: 'session', id: `evt_picture_${number}`, session, orderId, state: 'paid', ...of },
      ];
      if (number === 7) {
        events.push({ kind: 'dispute', id: 'evt_d', dispute: 'du_1QhX7', takesBack: true, ...of });
      }
      if (number === 8) {
        const id = 'evt_e';
        events.push({ kind: 'dispute', id, dispute: 'du_1QhX8', takesBack: false, ...of });
      }
      if (number === 9) {
        events.push({ kind: 'refund', id: 'evt_r', refund: 're_3QhX9', hasFailed: true, ...of });
      }
      if (number === 10) {
        const refunded = { ...of, currency: 'eur', orderId };
        events.push({ kind: 'refund_sum', id: 'evt_s', ...refunded });
      }
      for (const event of events) recordPaymentEvent(db, { event, now });
    }
  });
}
