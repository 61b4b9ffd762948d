/** A customer with a payment in every state, and a paused automatic top-up, for pages to show. */
import {
  pauseTopUp,
  saveTopUpCard,
  startTopUp,
} from '../../src/accounts/sql/automatic-top-up-rows.ts';
import { saveBuyer } from '../../src/accounts/sql/buyers.ts';
import type { Connection } from '../../src/database/sqlite/connection.ts';
import { changeOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { addOrder, take } from '../accounts/payments/orders.ts';
import {
  chargeObject,
  disputeObject,
  type PaidOrder,
  SECRET_KEY,
  sessionObject,
  stripeEvent,
  WEBHOOK_SECRET,
} from '../accounts/payments/stripe-stub.ts';
import { addSomeone, inStore, type Someone, warnBelow } from './history.ts';

/** Lets the pages offer packs. Stripe is not reached. */
export const STRIPE_ENV = {
  VERBATIM_STRIPE_SECRET_KEY: SECRET_KEY,
  VERBATIM_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  VERBATIM_STRIPE_ADDRESS: 'http://127.0.0.1:1',
};

export function addPayer(database: string, email: string): Someone {
  const payer = addSomeone(database, { email, credits: 800 });
  warnBelow(database, payer.customerId, 500);
  inStore(database, (db) => {
    addPayments(db, payer.customerId);
    addPausedTopUp(db, payer.customerId);
    const address = 'Institute of Sleep\n1 Main Street\nSpringfield';
    changeOnSqlite(db, saveBuyer({ customerId: payer.customerId, address, taxId: 'VAT XX 123' }));
  });
  return payer;
}

function addPayments(db: Connection, customerId: number): void {
  const order = (): PaidOrder => addOrder(db, { customerId });
  const report = (type: string, object: Record<string, unknown>) =>
    take(db, stripeEvent(type, object));
  const completed = (object: Record<string, unknown>) =>
    report('checkout.session.completed', object);
  const pay = (): PaidOrder => {
    const paid = order();
    completed(sessionObject(paid));
    return paid;
  };
  const unpaid = { payment_status: 'unpaid', payment_intent: null };
  order();
  pay();
  report('checkout.session.expired', sessionObject(order(), unpaid));
  report('checkout.session.async_payment_failed', sessionObject(order(), unpaid));
  completed(sessionObject(order(), unpaid));
  completed(sessionObject(order(), { amount_total: 1 }));
  report('charge.refunded', chargeObject(pay(), 200));
  report('charge.refunded', chargeObject(pay(), 500));
  report('charge.dispute.created', disputeObject(pay(), 'needs_response'));
}

function addPausedTopUp(db: Connection, customerId: number): void {
  const pack = { credits: 1_000, amount: 500, currency: 'usd' };
  const setUp = crypto.randomUUID();
  const bounds = { threshold: 500, amountPerMonthMax: 2_500 };
  changeOnSqlite(db, startTopUp({ ...pack, ...bounds, customerId, setUp, now: Date.now() }));
  const named = { stripeCustomer: `cus_${setUp}`, paymentMethod: `pm_${setUp}` };
  changeOnSqlite(db, saveTopUpCard({ ...named, setUp, card: 'visa 4242' }));
  changeOnSqlite(db, pauseTopUp({ customerId, reason: 'authentication_required' }));
}
