/** `verbatim payment list|reconcile`, the latter against Stripe's API on loopback. */
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReconcileReport } from '../../src/accounts/payments/reconcile.ts';
import { readBalance } from '../../src/accounts/sql/customers.ts';
import { listPayments } from '../../src/accounts/sql/payments.ts';
import { runOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { addOrder, inStore, take } from '../accounts/payments/orders.ts';
import {
  chargeObject,
  type PaidOrder,
  SECRET_KEY,
  type StripeStub,
  sessionObject,
  startStripeStub,
  stripeEvent,
  WEBHOOK_SECRET,
} from '../accounts/payments/stripe-stub.ts';
import { addAccount, temporaryFolder } from '../support/accounts.ts';
import { checkCommand, failure, plain } from '../support/command-line.ts';
import { withLimits } from '../support/limits.ts';
import { runCommand, runCommandJson } from '../support/verbatim.ts';

const folder = temporaryFolder();
let files = 0;
let database: string;
let order: PaidOrder;

beforeEach(() => {
  database = join(folder, `payments-${++files}.db`);
  order = inStore(database, (db) => {
    addAccount(db);
    return addOrder(db);
  });
});

const completed = (paid: PaidOrder, changed: Record<string, unknown> = {}) =>
  stripeEvent('checkout.session.completed', sessionObject(paid, changed), { id: 'evt_listed' });

describe('payment list', () => {
  const list = ['payment', 'list'];

  it('prints what was ordered, paid and credited, and each problem', async () => {
    const second = inStore(database, (db) => {
      take(db, completed(order, { amount_total: 499 }));
      const other = { ...order, session: 'cs_unknown', orderId: 'gone' };
      take(db, stripeEvent('checkout.session.completed', sessionObject(other), { id: 'evt_gone' }));
      const fine = addOrder(db, { credits: 5_000, amount: 2_400 });
      take(db, stripeEvent('checkout.session.completed', sessionObject(fine)));
      return fine;
    });
    const { stdout } = await runCommand([...list, '--db', database]);
    const { session } = second;
    for (const fact of [
      `2 TIME ada@example.org 5,000 $24.00 paid 5,000 ${session}`,
      '1 TIME ada@example.org 1,000 $5.00 mismatch 0 cs_test_order',
      'payment 1: paid $4.99, ordered $5.00\n',
      'event evt_gone: the session cs_unknown',
    ]) {
      expect(plain(stdout)).toContain(fact);
    }
    const json = await runCommandJson<{ payments: unknown[]; strays: unknown[] }>([
      ...[...list, '--limit', '1', '--db', database],
    ]);
    expect(json).toMatchObject({
      payments: [{ id: 2, customer: 'ada@example.org', state: 'paid', creditsGiven: 5_000 }],
      strays: [{ id: 'evt_gone', kind: 'session' }],
    });
  });

  it('can be limited to one customer', async () => {
    inStore(database, (db) => addAccount(db, 'bob@example.org'));
    await checkCommand(database, [[...list, '--customer', 'BOB@example.org'], { out: '(none)' }]);
    await checkCommand(database, [
      [...list, '--customer', 'eve@example.org'],
      failure('no customer eve@example.org'),
    ]);
  });
});

describe('payment reconcile', () => {
  let stub: StripeStub;
  let env: Record<string, string>;
  const limits = { stripeRetriesMax: 0 };

  beforeAll(async () => {
    stub = await startStripeStub();
    env = {
      VERBATIM_STRIPE_SECRET_KEY: SECRET_KEY,
      VERBATIM_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      VERBATIM_STRIPE_ADDRESS: stub.address,
      ...withLimits(limits),
    };
  });
  afterAll(() => stub.close());
  beforeEach(() => {
    stub.sessions.length = 0;
    stub.requests.length = 0;
  });

  const run = (...options: string[]): Promise<ReconcileReport> =>
    runCommandJson(['payment', 'reconcile', ...options, '--db', database], { env });
  const balance = (): number => inStore(database, (db) => runOnSqlite(db, readBalance(1)));
  const listed = (object: Record<string, unknown>): void => {
    const id = String(object['id']);
    stub.sessions.push({ id, parameters: new URLSearchParams(), listed: object });
  };

  /** One that no webhook told of, one refunded, one unpaid, one recorded, two of somebody else. */
  function listAll(): void {
    const [refunded, unpaid, recorded] = inStore(database, (db) => {
      const orders = [addOrder(db), addOrder(db), addOrder(db)] as const;
      take(db, completed(orders[2]));
      return orders;
    });
    const latest_charge = chargeObject(refunded, 100);
    const payment_intent = { id: refunded.paymentIntent, object: 'payment_intent', latest_charge };
    listed(sessionObject(order));
    listed(sessionObject(refunded, { payment_intent }));
    listed(sessionObject(unpaid, { payment_status: 'unpaid' }));
    listed(sessionObject(recorded));
    listed({ id: 'cs_else', mode: 'subscription', payment_status: 'paid' });
    listed(sessionObject({ ...order, session: 'cs_shop', orderId: '' }, { metadata: {} }));
  }

  it('credits a payment without a webhook, once', async () => {
    listAll();
    expect(balance()).toBe(1_000);
    const first = await run();
    expect(first.sessions).toBe(6);
    expect(first.found).toMatchObject([
      { outcome: 'credited', paymentId: 2, credits: 1_000 },
      { outcome: 'adjusted', paymentId: 2, credits: -200 },
      { outcome: 'credited', paymentId: 1, credits: 1_000 },
    ]);
    expect(balance()).toBe(2_800);
    expect(await run()).toEqual({ sessions: 6, found: [] });
    // The webhook comes after all.
    inStore(database, (db) => {
      take(db, stripeEvent('checkout.session.completed', sessionObject(order)));
    });
    expect(balance()).toBe(2_800);
    await runCommand(['credit', 'audit', '--db', database]);
  });

  it('changes nothing in a dry run and says what it would do', async () => {
    listAll();
    const before = inStore(database, (db) => runOnSqlite(db, listPayments({ limit: 9 })));
    const { found } = await run('--dry-run');
    expect(found.map(({ outcome }) => outcome)).toEqual(['credited', 'adjusted', 'credited']);
    expect(inStore(database, (db) => runOnSqlite(db, listPayments({ limit: 9 })))).toEqual(before);
    const { stdout } = await runCommand(['payment', 'reconcile', '--dry-run', '--db', database], {
      env,
    });
    for (const fact of ['payment 2: credited 1,000', 'payment 2: adjusted -200', 'nothing was']) {
      expect(stdout).toContain(fact);
    }
  });

  it('requests the given period and no more sessions than its limit', async () => {
    listAll();
    const since = Math.floor(Date.now() / 1000) - 86_400;
    await run('--since', '24h');
    expect(stub.requests).toHaveLength(4);
    const created = Number(stub.requests[0]?.parameters.get('created[gte]'));
    expect(created).toBeGreaterThanOrEqual(since);
    expect(created).toBeLessThan(since + 60);
    const few = { ...env, ...withLimits({ ...limits, reconcileSessionsMax: 3 }) };
    const report = await runCommandJson(['payment', 'reconcile', '--db', database], { env: few });
    expect(report).toMatchObject({ sessions: 3 });
  });

  it('reports that Stripe does not answer or that top-up is off, without a secret', async () => {
    stub.faults.push(500);
    const args = ['payment', 'reconcile', '--db', database];
    const failed = await runCommand(args, { env, code: 1 });
    expect(failed.stderr).toContain('StripeAPIError 500 req_stub: no luck, sk_...\n');
    expect(failed.stderr).not.toContain(SECRET_KEY);
    const off = await runCommand(args, { code: 2 });
    expect(off.stderr).toContain('top-up is off: set VERBATIM_STRIPE_SECRET_KEY');
  });
});
