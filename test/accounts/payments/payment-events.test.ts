/** What follows from events of Stripe, in any order and any number of times. */
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { listEntries, topUp } from '../../../src/accounts/sql/credit-entries.ts';
import { readBalance } from '../../../src/accounts/sql/customers.ts';
import { creditsKept } from '../../../src/accounts/sql/payment-decisions.ts';
import { listPayments, listStrayEvents } from '../../../src/accounts/sql/payments.ts';
import { auditLedger } from '../../../src/accounts/sqlite/ledger/audit.ts';
import { createLedger } from '../../../src/accounts/sqlite/ledger/ledger.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { changeOnSqlite, runOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { type Account, addAccount, NOW, openMemoryStore, rowsOf } from '../../support/accounts.ts';
import { addOrder, take } from './orders.ts';
import {
  chargeObject,
  disputeObject,
  type EventOptions,
  type PaidOrder,
  refundObject,
  sessionObject,
  stripeEvent,
} from './stripe-stub.ts';

type StripeEvent = Record<string, unknown>;

let db: Connection;
let ada: Account;
let order: PaidOrder;

beforeEach(() => {
  db = openMemoryStore();
  ada = addAccount(db);
  order = addOrder(db);
});

const balance = (): number => runOnSqlite(db, readBalance(ada.customerId));
const stateOf = () => runOnSqlite(db, listPayments({ limit: 9 }))[0]?.state;

/** Short names for the events of the order above. */
const eventMakers: Record<string, (options?: EventOptions) => StripeEvent> = {
  paid: (options) => stripeEvent('checkout.session.completed', sessionObject(order), options),
  unpaid: (options) =>
    stripeEvent(
      'checkout.session.completed',
      sessionObject(order, { payment_status: 'unpaid' }),
      options,
    ),
  succeeded: (options) =>
    stripeEvent('checkout.session.async_payment_succeeded', sessionObject(order), options),
  failed: (options) =>
    stripeEvent(
      'checkout.session.async_payment_failed',
      sessionObject(order, { payment_status: 'unpaid' }),
      options,
    ),
  expired: (options) =>
    stripeEvent(
      'checkout.session.expired',
      sessionObject(order, { payment_status: 'unpaid', payment_intent: null }),
      options,
    ),
  'refunded 100': (options) => stripeEvent('charge.refunded', chargeObject(order, 100), options),
  'refunded 250': (options) => stripeEvent('charge.refunded', chargeObject(order, 250), options),
  'refunded 500': (options) => stripeEvent('charge.refunded', chargeObject(order, 500), options),
  'made 250': (options) => stripeEvent('refund.created', refundObject(order, 250), options),
  'failed 250': (options) =>
    stripeEvent('refund.failed', refundObject(order, 250, { status: 'failed' }), options),
  'made 100': (options) => stripeEvent('charge.refund.updated', refundObject(order, 100), options),
  inquiry: (options) =>
    stripeEvent('charge.dispute.created', disputeObject(order, 'warning_needs_response'), options),
  'inquiry closed': (options) =>
    stripeEvent('charge.dispute.closed', disputeObject(order, 'warning_closed'), options),
  disputed: (options) =>
    stripeEvent('charge.dispute.created', disputeObject(order, 'needs_response'), options),
  withdrawn: (options) =>
    stripeEvent('charge.dispute.funds_withdrawn', disputeObject(order, 'needs_response'), options),
  'under review': (options) =>
    stripeEvent('charge.dispute.updated', disputeObject(order, 'under_review'), options),
  won: (options) => stripeEvent('charge.dispute.closed', disputeObject(order, 'won'), options),
  reinstated: (options) =>
    stripeEvent('charge.dispute.funds_reinstated', disputeObject(order, 'won'), options),
  lost: (options) => stripeEvent('charge.dispute.closed', disputeObject(order, 'lost'), options),
  'disputed 200': (options) =>
    stripeEvent(
      'charge.dispute.created',
      disputeObject(order, 'needs_response', { amount: 200 }),
      options,
    ),
};

function make(name: string, options?: EventOptions): StripeEvent {
  const maker = eventMakers[name];
  if (maker === undefined) throw new Error(`no event is called ${name}`);
  return maker(options);
}

describe('a purchase of 1,000 credits for 500 cents', () => {
  /** Events, one a second; what the customer has then, and the state of the payment. */
  const rows: [events: string[], balance: number, state: string][] = [
    [[], 0, 'ordered'],
    [['paid'], 1_000, 'paid'],
    [['paid', 'paid'], 1_000, 'paid'],
    [['paid', 'succeeded'], 1_000, 'paid'],
    [['unpaid'], 0, 'unpaid'],
    [['unpaid', 'succeeded'], 1_000, 'paid'],
    [['succeeded', 'unpaid'], 1_000, 'paid'],
    [['unpaid', 'failed'], 0, 'failed'],
    [['failed', 'unpaid'], 0, 'failed'],
    [['paid', 'failed'], 1_000, 'paid'],
    [['expired'], 0, 'expired'],
    [['paid', 'expired'], 1_000, 'paid'],
    [['expired', 'paid'], 1_000, 'paid'],
    [['paid', 'refunded 500'], 0, 'paid'],
    [['paid', 'refunded 100'], 800, 'paid'],
    [['paid', 'refunded 100', 'refunded 250'], 500, 'paid'],
    [['paid', 'refunded 250', 'refunded 100'], 500, 'paid'],
    [['refunded 250', 'paid'], 500, 'paid'],
    [['refunded 500', 'unpaid', 'succeeded'], 0, 'paid'],
    [['refunded 500'], 0, 'ordered'],
    [['paid', 'made 250'], 500, 'paid'],
    [['made 250', 'paid', 'refunded 250'], 500, 'paid'],
    [['paid', 'refunded 250', 'failed 250'], 1_000, 'paid'],
    [['paid', 'failed 250', 'refunded 250', 'made 250'], 1_000, 'paid'],
    [['paid', 'refunded 250', 'failed 250', 'made 100', 'refunded 100'], 800, 'paid'],
    [['paid', 'disputed 200', 'refunded 250', 'failed 250'], 600, 'paid'],
    [['paid', 'inquiry'], 1_000, 'paid'],
    [['paid', 'inquiry', 'inquiry closed'], 1_000, 'paid'],
    [['paid', 'inquiry', 'under review'], 0, 'paid'],
    [['paid', 'disputed'], 0, 'paid'],
    [['paid', 'disputed', 'withdrawn'], 0, 'paid'],
    [['paid', 'disputed', 'withdrawn', 'under review', 'won', 'reinstated'], 1_000, 'paid'],
    [['paid', 'disputed', 'lost'], 0, 'paid'],
    [['disputed', 'paid'], 0, 'paid'],
    [['disputed', 'won', 'paid'], 1_000, 'paid'],
    [['paid', 'disputed 200'], 600, 'paid'],
    [['paid', 'disputed 200', 'refunded 250'], 100, 'paid'],
    [['paid', 'disputed', 'refunded 500'], 0, 'paid'],
    [['paid', 'disputed', 'refunded 250', 'won'], 500, 'paid'],
  ];
  it.each(rows)('after %j has given %i credits and is %s', (events, expected, state) => {
    for (const [index, name] of events.entries()) take(db, make(name, { created: 1_000 + index }));
    expect([balance(), stateOf()]).toEqual([expected, state]);
    expect(auditLedger(db).differences).toEqual([]);
  });

  it('has the same result for any order and repetition of events', () => {
    const names = Object.keys(eventMakers).filter((name) => name !== 'disputed 200');
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 }),
        fc.infiniteStream(fc.nat()),
        (chosen, draw) => {
          const chances = draw[Symbol.iterator]();
          const made = chosen.map((name, index) => make(name, { created: 1_000 + index }));
          const outcomes = [made, [...made, ...made]].map((events, round) => {
            db = openMemoryStore();
            ada = addAccount(db);
            const id = order.orderId;
            const { session, paymentIntent, ...bought } = order;
            db.exec(`INSERT INTO payments (order_id, customer_id, credits, amount, currency,
              session, created_at) VALUES ('${id}', 1, 1000, ${bought.amount}, 'usd',
              '${session}', ${NOW})`);
            const shuffled = events
              .map((event) => ({ event, place: round === 0 ? 0 : Number(chances.next().value) }))
              .sort((a, b) => a.place - b.place);
            for (const { event } of shuffled) take(db, event);
            expect(auditLedger(db).differences).toEqual([]);
            expect(paymentIntent).not.toBe('');
            return balance();
          });
          expect(outcomes[1]).toBe(outcomes[0]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('has its session and its reversals in the ledger', () => {
    const refund = make('refunded 250');
    for (const event of [make('paid'), refund, make('disputed', { created: 7 })]) take(db, event);
    take(db, make('won', { created: 8 }));
    const entries = runOnSqlite(
      db,
      listEntries({ customerId: ada.customerId, limit: 9 }),
    ).reverse();
    const note = `refunded, payment 1, ${refund['id']}`;
    expect(entries).toMatchObject([
      { kind: 'topup', credits: 1_000, balance: 1_000, reference: order.session },
      { kind: 'adjust', credits: -500, balance: 500, reference: `${order.session}:1`, note },
      { kind: 'adjust', credits: -500, balance: 0, reference: `${order.session}:2:dispute` },
      { kind: 'adjust', credits: 500, balance: 500, reference: `${order.session}:3:dispute` },
    ]);
    expect(runOnSqlite(db, listPayments({ limit: 9 }))).toMatchObject([
      { creditsGiven: 500, problem: null },
    ]);
  });

  it('names a refund that failed in the ledger', () => {
    for (const name of ['paid', 'refunded 250', 'failed 250']) take(db, make(name));
    const [restored] = runOnSqlite(db, listEntries({ customerId: ada.customerId, limit: 1 }));
    expect(restored).toMatchObject({ kind: 'adjust', credits: 500, balance: 1_000 });
    expect(restored?.note).toMatch(/^refund failed, payment 1, evt_\d+$/);
  });

  it('may leave a debt, which the next payment pays first', () => {
    take(db, make('paid'));
    const ledger = createLedger(db);
    for (let spent = 0; spent < 3; spent++) {
      const requestId = `search-${spent}`;
      ledger.hold({ requestId, ...ada, credits: 300, now: NOW });
      ledger.settle(requestId, NOW);
    }
    ledger.hold({ requestId: 'open', ...ada, credits: 100, now: NOW });
    take(db, make('refunded 500'));
    expect(balance()).toBe(-1_000);
    expect(ledger.hold({ requestId: 'more', ...ada, credits: 1, now: NOW })).toBeUndefined();
    ledger.release('open', NOW);
    changeOnSqlite(db, topUp({ customerId: ada.customerId, credits: 950, now: NOW }));
    expect(balance()).toBe(50);
    expect(auditLedger(db).differences).toEqual([]);
  });

  it('counts once if the operator has entered it by hand', () => {
    changeOnSqlite(
      db,
      topUp({ customerId: 1, credits: 1_000, reference: order.session, now: NOW }),
    );
    expect(take(db, make('paid'))).toEqual({ outcome: 'noted', paymentId: 1 });
    expect(balance()).toBe(1_000);
    expect(take(db, make('refunded 250'))).toMatchObject({ outcome: 'adjusted', credits: -500 });
    expect(balance()).toBe(500);
    expect(auditLedger(db).differences).toEqual([]);
  });
});

describe('a payment that does not match its order', () => {
  const rows: [what: string, changed: Record<string, unknown>, problem: string][] = [
    ['too little', { amount_total: 499 }, 'paid $4.99, ordered $5.00'],
    ['too much', { amount_total: 50_000 }, 'paid $500.00, ordered $5.00'],
    ['nothing', { amount_total: 0, payment_status: 'no_payment_required' }, 'paid $0.00'],
    ['no amount', { amount_total: null }, 'paid nothing, ordered'],
    ['an amount as text', { amount_total: '500' }, 'paid nothing, ordered'],
    ['another currency', { currency: 'eur' }, 'paid €5.00, ordered $5.00'],
    ['no currency', { currency: null }, 'paid 500 in no known currency, ordered $5.00'],
  ];
  it.each(rows)('(%s) gives nothing and is shown to the operator', (_what, changed, problem) => {
    const event = stripeEvent('checkout.session.completed', sessionObject(order, changed));
    const result = take(db, event);
    expect(result).toEqual({
      outcome: 'problem',
      paymentId: 1,
      problem: expect.stringContaining(problem),
    });
    expect([balance(), stateOf()]).toEqual([0, 'mismatch']);
    expect(runOnSqlite(db, listPayments({ limit: 9 }))[0]?.problem).toContain(problem);
    take(db, make('refunded 500'));
    expect(balance()).toBe(0);
    expect(auditLedger(db).differences).toEqual([]);
  });

  it('is rejected for a session of another order', () => {
    const another = { ...order, session: 'cs_test_of_another' };
    const event = stripeEvent('checkout.session.completed', sessionObject(another));
    expect(take(db, event)).toMatchObject({ outcome: 'problem', paymentId: 1 });
    expect([balance(), stateOf()]).toEqual([0, 'ordered']);
  });

  it.each([
    ['credits', 1, 5],
    ['customer', 2, 1_000],
  ])('is a problem if the ledger has it with another %s', (_what, customerId, credits) => {
    addAccount(db, 'bob@example.org');
    changeOnSqlite(db, topUp({ customerId, credits, reference: order.session, now: NOW }));
    const problem = 'the ledger has a different top-up for the session, entry 1';
    expect(take(db, make('paid'))).toMatchObject({ outcome: 'problem', problem });
    take(db, make('refunded 500'));
    expect(runOnSqlite(db, readBalance(customerId))).toBe(credits);
    expect(stateOf()).toBe('mismatch');
    expect(auditLedger(db).differences).toEqual([]);
  });

  it.each([
    [
      'refund',
      () => stripeEvent('charge.refunded', chargeObject(order, 9, { currency: 'eur' })),
      0,
    ],
    [
      'dispute',
      () =>
        stripeEvent(
          'charge.dispute.created',
          disputeObject(order, 'needs_response', { amount: 9, currency: 'eur' }),
        ),
      -1_000,
    ],
  ])('is a problem for the operator if it has a %s in another currency', (_what, event, change) => {
    take(db, make('paid'));
    expect(take(db, event())).toMatchObject({ outcome: 'problem', paymentId: 1 });
    expect(balance()).toBe(1_000 + change);
    expect(auditLedger(db).differences.length).toBe(0);
  });
});

describe('an event of a foreign payment', () => {
  const foreign = (): PaidOrder => ({ ...order, session: 'cs_else', paymentIntent: 'pi_else' });
  const plain = { metadata: {} };
  const rows: [what: string, event: () => StripeEvent][] = [
    [
      'a session without our order',
      () => stripeEvent('checkout.session.completed', sessionObject(foreign(), plain)),
    ],
    [
      'an unpaid session of an order that is not known',
      () =>
        stripeEvent(
          'checkout.session.expired',
          sessionObject({ ...foreign(), orderId: 'gone' }, { payment_status: 'unpaid' }),
        ),
    ],
    [
      'a refund of another charge',
      () => stripeEvent('charge.refunded', chargeObject(foreign(), 500, plain)),
    ],
  ];
  it.each(rows)('leaves nothing behind: %s', (_what, event) => {
    expect(take(db, event())).toEqual({ outcome: 'foreign' });
    expect(rowsOf(db, 'SELECT * FROM payment_events')).toEqual([]);
    expect(rowsOf(db, 'SELECT * FROM payment_refunds')).toEqual([]);
  });

  it('is shown to the operator if it claims to be ours and is paid', () => {
    const gone = { ...foreign(), orderId: 'gone' };
    const event = stripeEvent('checkout.session.completed', sessionObject(gone));
    expect(take(db, event)).toMatchObject({ outcome: 'problem' });
    expect(take(db, event)).toEqual({ outcome: 'duplicate' });
    const problem = 'the session cs_else was paid, but its order gone is unknown here';
    expect(runOnSqlite(db, listStrayEvents(9))).toMatchObject([
      { id: event['id'], kind: 'session', problem },
    ]);
    expect(rowsOf(db, 'SELECT * FROM ledger_entries')).toEqual([]);
  });

  it('does not affect other customers', () => {
    const bob = addAccount(db, 'bob@example.org');
    const second = addOrder(db, { customerId: bob.customerId, credits: 50, amount: 20 });
    take(db, make('paid'));
    take(db, stripeEvent('checkout.session.completed', sessionObject(second)));
    take(db, make('disputed'));
    expect([balance(), runOnSqlite(db, readBalance(bob.customerId))]).toEqual([0, 50]);
  });
});

describe('an order whose event arrives before its session was written', () => {
  it('is found by the order id in the session', () => {
    db.exec('UPDATE payments SET session = NULL, url = NULL, expires_at = NULL');
    expect(take(db, make('paid'))).toEqual({ outcome: 'credited', paymentId: 1, credits: 1_000 });
    expect(runOnSqlite(db, listPayments({ limit: 9 }))).toMatchObject([{ session: order.session }]);
    expect(take(db, make('refunded 250'))).toMatchObject({ outcome: 'adjusted', credits: -500 });
  });
});

describe('creditsKept', () => {
  it.each([
    [1_000, 500, 0, 1_000],
    [1_000, 500, 1, 998],
    [1_000, 500, 499, 2],
    [1_000, 500, 500, 0],
    [1_000, 500, 900, 0],
    [1_000, 333, 1, 997],
    [3, 500, 499, 1],
    [1_000_000_000, 99_999_999, 1, 999_999_990],
  ])('of %i credits for %i, after %i were returned, is %i', (credits, amount, back, kept) => {
    expect(creditsKept({ credits, amount }, back)).toBe(kept);
  });
});
