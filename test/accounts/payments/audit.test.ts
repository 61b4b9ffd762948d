/** Whatever of a payment is tampered with, `credit audit` finds it. */
import { beforeEach, expect, it } from 'vitest';
import { auditLedger } from '../../../src/accounts/sqlite/ledger/audit.ts';
import { createLedger } from '../../../src/accounts/sqlite/ledger/ledger.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { addAccount, NOW, openMemoryStore } from '../../support/accounts.ts';
import { addOrder, take } from './orders.ts';
import { chargeObject, type PaidOrder, sessionObject, stripeEvent } from './stripe-stub.ts';

let db: Connection;
let order: PaidOrder;

/** Entries: 1 topup of 1,000; 2 and 3 a search for 900; 4 adjust of -500, to a debt of 400. */
beforeEach(() => {
  db = openMemoryStore();
  const ada = addAccount(db);
  order = addOrder(db);
  take(db, stripeEvent('checkout.session.completed', sessionObject(order)));
  const ledger = createLedger(db);
  ledger.hold({ requestId: 'search', ...ada, credits: 900, now: NOW });
  ledger.settle('search', NOW);
  take(db, stripeEvent('charge.refunded', chargeObject(order, 250)));
  addAccount(db, 'bob@example.org');
  expect(auditLedger(db).differences).toEqual([]);
});

function entry(values: string): string {
  return `INSERT INTO ledger_entries
    (customer_id, key_id, kind, credits, balance, request_id, reference, created_at)
    VALUES (${values}, 0);`;
}

function automaticOrder(orderId: string, askAt: number | 'NULL'): string {
  return `INSERT INTO payments (order_id, customer_id, credits, amount, currency, created_at,
      expires_at, stripe_customer, payment_method, ask_at)
    VALUES ('${orderId}', 1, 9, 9, 'usd', 0, 1, 'cus_1', 'pm_1', ${askAt});`;
}

const rows: [what: string, sql: () => string, differences: string[]][] = [
  [
    'a payment says to have given more',
    () => 'UPDATE payments SET credits_given = 1000',
    ['payment 1: gave 1000 credits, but its entries add up to 500'],
  ],
  [
    'a payment says to have given nothing',
    () => 'UPDATE payments SET credits_given = 0',
    ['payment 1: gave 0 credits, but its entries add up to 500'],
  ],
  [
    'a payment is of another customer',
    () => 'UPDATE payments SET customer_id = 2',
    [
      'payment 1: gave 500 credits, but its entries add up to 0',
      'payment 1: is paid, but has no top-up of 1000 credits',
    ],
  ],
  [
    'a payment is paid that gave nothing',
    () =>
      `INSERT INTO payments (order_id, customer_id, credits, amount, currency, session, state,
         credits_given, created_at) VALUES ('other', 1, 9, 9, 'usd', 'cs_other', 'paid', 9, 0)`,
    [
      'payment 2: gave 9 credits, but its entries add up to 0',
      'payment 2: is paid, but has no top-up of 9 credits',
    ],
  ],
  [
    'a payment is paid, and says that it gave nothing',
    () =>
      `INSERT INTO payments (order_id, customer_id, credits, amount, currency, session, state,
         credits_given, created_at) VALUES ('other', 1, 9, 9, 'usd', 'cs_other', 'paid', 0, 0)`,
    ['payment 2: is paid, but has no top-up of 9 credits'],
  ],
  [
    'two automatic orders are open',
    () => automaticOrder('first', 1) + automaticOrder('second', 1),
    ['customer 1: 2 automatic orders are open at once'],
  ],
  [
    'an automatic order is forgotten',
    () => automaticOrder('first', 'NULL'),
    ['payment 2: an automatic order for which nobody asks Stripe'],
  ],
  [
    'an adjust is added that belongs to no payment',
    () =>
      `${entry("1, NULL, 'adjust', 400, 0, NULL, 'invented:1'")}
       UPDATE customers SET balance = 0 WHERE id = 1`,
    ['entry 5: an adjust without its payment'],
  ],
  [
    'an adjust is added that the payment does not know',
    () =>
      `${entry(`1, NULL, 'adjust', 400, 0, NULL, '${order.session}:2'`)}
       UPDATE customers SET balance = 0 WHERE id = 1`,
    ['payment 1: gave 500 credits, but its entries add up to 900'],
  ],
  [
    'a search is held on a debt',
    () =>
      `${entry("1, 1, 'hold', -1, -401, 'more', NULL")}
       INSERT INTO open_holds VALUES ('more', 1, 1, 1, 0);
       UPDATE customers SET balance = -401 WHERE id = 1`,
    ['entry 5: the balance was -401'],
  ],
  [
    'a debt has come about without a payment',
    () =>
      `${entry("2, 2, 'hold', -3, -3, 'more', NULL")}
       INSERT INTO open_holds VALUES ('more', 2, 2, 3, 0);
       UPDATE customers SET balance = -3 WHERE id = 2`,
    ['entry 5: the balance was -3'],
  ],
];
it.each(rows)('%s', (_what, sql, differences) => {
  db.exec(sql());
  expect(auditLedger(db).differences).toEqual(differences);
});
