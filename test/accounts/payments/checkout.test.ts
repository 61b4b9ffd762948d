/** From a pack to Stripe's page, through Stripe's own library, against an API on loopback. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckoutRequest } from '../../../src/accounts/payments/checkout.ts';
import { paymentStatus } from '../../../src/accounts/payments/payment-status.ts';
import { openTopUp, readOffer, type TopUp } from '../../../src/accounts/payments/top-up.ts';
import type { AccountStore } from '../../../src/accounts/ports/account-store.ts';
import {
  cancelOrders,
  findOwnPayment,
  listOpenCheckouts,
  listPayments,
  type OwnPayment,
  openCheckout,
  placeOrder,
} from '../../../src/accounts/sql/payments.ts';
import type { Connection } from '../../../src/database/sqlite/connection.ts';
import { changeOnSqlite, runOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import type { LogFields } from '../../../src/log.ts';
import { readSettings } from '../../../src/settings/config.ts';
import { addAccount, NOW, openMemoryStore, rowsOf } from '../../support/accounts.ts';
import { take } from './orders.ts';
import {
  SECRET_KEY,
  type StripeStub,
  sessionObject,
  startStripeStub,
  stripeEvent,
  WEBHOOK_SECRET,
} from './stripe-stub.ts';

let stub: StripeStub;
let db: Connection;
let topUp: TopUp;
let logged: { event: string; fields: LogFields | undefined }[];
let now: number;
/** What the next write of a session's address comes to. */
let failToOpen: boolean;

const baseSettings = {
  stripeSecretKey: SECRET_KEY,
  stripeWebhookSecret: WEBHOOK_SECRET,
  stripeTimeoutMs: 300,
  checkoutsPerHourMax: 3,
};

beforeEach(async () => {
  stub = await startStripeStub();
  db = openMemoryStore();
  addAccount(db);
  logged = [];
  now = NOW;
  failToOpen = false;
  topUp = await open({});
});

afterEach(() => stub.close());

async function open(changed: Record<string, string | number>): Promise<TopUp> {
  const settings = readSettings({ ...baseSettings, stripeAddress: stub.address, ...changed }, {});
  const put = (event: string, fields?: LogFields): void => {
    logged.push({ event, fields });
  };
  return openTopUp(readOffer(settings), settings, {
    log: { debug: put, info: put, warn: put, error: put },
    now: () => now,
    writer: {
      // Nothing is ordered automatically here.
      ...({} as AccountStore),
      placeOrder: async (order) => changeOnSqlite(db, placeOrder(order)),
      openCheckout: async (checkout) => {
        if (failToOpen) throw new Error('died here');
        changeOnSqlite(db, openCheckout(checkout));
      },
      cancelOrders: async (orders) => changeOnSqlite(db, cancelOrders(orders)),
      listOpenCheckouts: async (orders) => runOnSqlite(db, listOpenCheckouts(orders)),
    },
  });
}

function request(changed: Partial<CheckoutRequest> = {}): CheckoutRequest {
  return {
    customerId: 1,
    email: 'ada@example.org',
    credits: 1_000,
    orderId: randomUUID(),
    successUrl: 'https://search.example.org/credit?paid=yes',
    cancelUrl: 'https://search.example.org/credit',
    ...changed,
  };
}

const payments = () => runOnSqlite(db, listPayments({ limit: 99 }));

describe('a checkout', () => {
  it('asks Stripe for exactly the order', async () => {
    const asked = request({ credits: 5_000 });
    const { url } = await topUp.createCheckout(asked);
    expect(url).toBe('https://checkout.stripe.com/c/pay/cs_test_1');
    const [{ method, path, headers, parameters } = expect.fail()] = stub.requests;
    expect([method, path]).toEqual(['POST', '/v1/checkout/sessions']);
    expect(headers['idempotency-key']).toBe(asked.orderId);
    expect(headers).not.toHaveProperty('x-stripe-client-telemetry');
    expect(Object.fromEntries(parameters)).toEqual({
      mode: 'payment',
      client_reference_id: '1',
      customer_email: 'ada@example.org',
      'line_items[0][quantity]': '1',
      'line_items[0][price_data][currency]': 'usd',
      'line_items[0][price_data][unit_amount]': '2400',
      'line_items[0][price_data][product_data][name]': '5,000 credits for searches',
      'adaptive_pricing[enabled]': 'false',
      'metadata[verbatim_order]': asked.orderId,
      'payment_intent_data[metadata][verbatim_order]': asked.orderId,
      success_url: asked.successUrl,
      cancel_url: asked.cancelUrl,
    });
    expect(payments()).toMatchObject([
      {
        orderId: asked.orderId,
        customerId: 1,
        session: 'cs_test_1',
        url,
        credits: 5_000,
        amount: 2_400,
        currency: 'usd',
        state: 'ordered',
        creditsGiven: 0,
      },
    ]);
    expect(rowsOf(db, 'SELECT * FROM ledger_entries')).toEqual([]);
  });

  it('of a repeated form is the same session, without asking Stripe again', async () => {
    const asked = request();
    const first = await topUp.createCheckout(asked);
    expect(await topUp.createCheckout(asked)).toEqual(first);
    expect(stub.requests).toHaveLength(1);
    expect(payments()).toHaveLength(1);
  });

  it('of a form sent twice at once is one session', async () => {
    const asked = request();
    const [first, second] = await Promise.all([
      topUp.createCheckout(asked),
      topUp.createCheckout(asked),
    ]);
    expect(second).toEqual(first);
    expect(stub.sessions).toHaveLength(1);
  });

  it('of another form is another session', async () => {
    const [first, second] = [
      await topUp.createCheckout(request()),
      await topUp.createCheckout(request()),
    ];
    expect(second).not.toEqual(first);
    expect([stub.sessions.length, payments().length]).toEqual([2, 2]);
  });

  it('continues after a crash before the session was written', async () => {
    const asked = request();
    failToOpen = true;
    await expect(topUp.createCheckout(asked)).rejects.toThrow('died here');
    expect(payments()).toMatchObject([{ session: null, url: null }]);
    failToOpen = false;
    topUp = await open({});
    const { url } = await topUp.createCheckout(asked);
    expect(stub.sessions).toHaveLength(1);
    expect(payments()).toMatchObject([{ session: 'cs_test_1', url }]);
  });

  it.each(['drop', 'after_work', 500, 503, 409, 'hang'] as const)(
    'is tried again with the same idempotency key when Stripe does not answer: %s',
    async (fault) => {
      stub.faults.push(fault);
      const { url } = await topUp.createCheckout(request());
      expect(url).toBe('https://checkout.stripe.com/c/pay/cs_test_1');
      const keys = stub.requests.map(({ headers }) => headers['idempotency-key']);
      expect(keys).toHaveLength(2);
      expect(new Set(keys).size).toBe(1);
      expect(stub.sessions).toHaveLength(1);
    },
  );
});

describe('a checkout is rejected', () => {
  const before = request();
  const refused: [what: string, changed: Partial<CheckoutRequest>, message: string][] = [
    ['of no pack', { credits: 999 }, 'this pack does not exist'],
    ['without an order id', { orderId: '' }, 'the order has no valid id'],
    ['with an order id that anybody can guess', { orderId: '1' }, 'the order has no valid id'],
    ['of an order id that was used for another pack', { credits: 5_000 }, 'already started'],
    ['of an order id of another customer', { customerId: 2 }, 'already started'],
  ];
  it.each(refused)('%s', async (_what, changed, message) => {
    addAccount(db, 'bob@example.org');
    await topUp.createCheckout(before);
    await expect(topUp.createCheckout({ ...before, ...changed })).rejects.toThrow(
      expect.objectContaining({ code: 'bad_request', message: expect.stringContaining(message) }),
    );
    expect([stub.requests.length, payments().length]).toEqual([1, 1]);
  });

  it('if its session expired or was paid', async () => {
    const [expired, paid] = [request(), request()];
    await topUp.createCheckout(expired);
    db.exec('UPDATE payments SET expires_at = 5');
    await topUp.createCheckout(paid);
    db.exec(`UPDATE payments SET state = 'paid' WHERE order_id = '${paid.orderId}'`);
    for (const asked of [expired, paid]) {
      await expect(topUp.createCheckout(asked)).rejects.toThrow(
        'this purchase was already started',
      );
    }
  });

  it('beyond the hourly limit of a customer', async () => {
    for (let begun = 0; begun < 3; begun++) await topUp.createCheckout(request());
    const tooMany = expect.objectContaining({ code: 'rate_limited' });
    await expect(topUp.createCheckout(request())).rejects.toThrow(tooMany);
    const bob = addAccount(db, 'bob@example.org');
    await topUp.createCheckout(request({ customerId: bob.customerId }));
    now += 3_600_001;
    await topUp.createCheckout(request());
    expect(stub.sessions).toHaveLength(5);
  });

  const failing: [what: string, faults: (number | 'hang' | 'drop')[], reason: string][] = [
    ['hangs', ['hang', 'hang', 'hang'], 'StripeConnectionError'],
    ['drops the connection', ['drop', 'drop', 'drop'], 'StripeConnectionError'],
    ['fails', [500, 500, 500], 'StripeAPIError 500 req_stub: no luck, sk_...'],
  ];
  it.each(failing)(
    'if Stripe %s, within limited time and attempts',
    async (_what, faults, reason) => {
      stub.faults.push(...faults);
      const asked = request();
      await expect(topUp.createCheckout(asked)).rejects.toThrow(
        expect.objectContaining({ code: 'checkout_failed', status: 503 }),
      );
      expect(stub.requests).toHaveLength(3);
      expect(logged).toEqual([
        {
          event: 'checkout_failed',
          fields: { payment: 1, reason: expect.stringContaining(reason) },
        },
      ]);
      expect(JSON.stringify(logged)).not.toContain(SECRET_KEY);
      await topUp.createCheckout(asked);
      expect(payments()).toMatchObject([{ session: 'cs_test_1' }]);
    },
  );

  const unusable: [what: string, prepare: () => void, reason: string][] = [
    ['has no address', () => put({ url: null }), 'has no payment address'],
    ['leads to http', () => put({ url: 'http://checkout.stripe.com/x' }), 'is not https://'],
    ['leads elsewhere', () => put({ url: 'https://stripe.example/x' }), 'is not https://'],
    [
      'hides a host',
      () => put({ url: 'https://checkout.stripe.com@evil.example' }),
      'is not https',
    ],
    ['has another amount', () => put({ amount_total: 5 }), 'is for 5 usd, not for 500 usd'],
    ['has another currency', () => put({ currency: 'eur' }), 'is for 500 eur, not for 500 usd'],
    ['never expires', () => put({ expires_at: null }), 'no time at which it expires'],
    ['is not a session', () => stub.bodies.push('[]'), 'it has no session id'],
  ];
  const put = (changed: Record<string, unknown>): void => {
    Object.assign(stub.changed, changed);
  };
  it.each(unusable)(
    'if the answer %s, and the order can be continued',
    async (_what, prepare, reason) => {
      prepare();
      const asked = request();
      await expect(topUp.createCheckout(asked)).rejects.toThrow(
        expect.objectContaining({ code: 'checkout_unusable', status: 502 }),
      );
      expect(logged).toMatchObject([
        {
          event: 'checkout_failed',
          fields: { payment: 1, reason: expect.stringContaining(reason) },
        },
      ]);
      for (const name of Object.keys(stub.changed)) delete stub.changed[name];
      const [payment = expect.fail()] = payments();
      expect(payment).toMatchObject({ state: 'ordered', url: null });
      const { url } = await topUp.continueCheckout(asked, payment);
      expect(url).toBe('https://checkout.stripe.com/c/pay/cs_test_1');
    },
  );

  it.each([
    ['HTML', '<!doctype html><title>Maintenance</title>'],
    ['huge', JSON.stringify({ id: 'x'.repeat(50_000) })],
  ])('if the answer is %s, with one line in the log', async (_what, body) => {
    topUp = await open({ stripeResponseBytesMax: 40_000, stripeRetriesMax: 0 });
    stub.bodies.push(body);
    await expect(topUp.createCheckout(request())).rejects.toThrow(
      expect.objectContaining({ code: 'checkout_failed' }),
    );
    expect(logged).toHaveLength(1);
  });

  it('if its page is on a custom domain that is not set, and not if it is', async () => {
    stub.changed['url'] = 'https://pay.example.org/c/pay/cs_test_1';
    await expect(topUp.createCheckout(request())).rejects.toThrow('cannot be used');
    topUp = await open({ stripeCheckoutDomain: 'pay.example.org' });
    const { url } = await topUp.createCheckout(request());
    expect(url).toBe('https://pay.example.org/c/pay/cs_test_1');
    expect(topUp.paymentOrigins).toEqual([
      'https://checkout.stripe.com',
      'https://pay.example.org',
    ]);
    await expect(open({ stripeCheckoutDomain: 'https://pay.example.org' })).rejects.toThrow(
      'VERBATIM_STRIPE_CHECKOUT_DOMAIN must be a host',
    );
  });

  it('if Stripe does not know the key, which is not logged', async () => {
    topUp = await open({ stripeSecretKey: 'sk_test_wrong' });
    await expect(topUp.createCheckout(request())).rejects.toThrow('cannot be reached');
    expect(stub.requests).toHaveLength(1);
    expect(JSON.stringify(logged)).toContain('StripeAuthenticationError 401 req_stub');
    expect(JSON.stringify(logged)).not.toMatch(/sk_test/);
  });

  it('without Stripe settings, and the error says what to do instead', async () => {
    topUp = await open({ stripeSecretKey: '', stripeWebhookSecret: '' });
    expect(topUp.offer).toBeUndefined();
    await expect(topUp.createCheckout(request())).rejects.toThrow(
      'top-up is not set up here: ask the operator to add credit',
    );
    expect([stub.requests.length, payments().length]).toEqual([0, 0]);
  });
});

describe('an order that is given up', () => {
  const orderOf = (orderId: string): OwnPayment =>
    runOnSqlite(db, findOwnPayment({ customerId: 1, orderId })) ?? expect.fail();
  const begin = async (): Promise<string> => {
    const asked = request();
    await topUp.createCheckout(asked);
    return asked.orderId;
  };

  it('ends its session, and cannot be paid or given up again', async () => {
    const orderId = await begin();
    await topUp.cancelCheckout(orderOf(orderId));
    expect(stub.requests.at(-1)?.path).toBe('/v1/checkout/sessions/cs_test_1/expire');
    expect(paymentStatus(orderOf(orderId), now)).toBe('canceled');
    const again = topUp.cancelCheckout(orderOf(orderId));
    await expect(again).rejects.toMatchObject({ code: 'bad_request' });
    const continued = topUp.continueCheckout(request(), orderOf(orderId));
    await expect(continued).rejects.toMatchObject({ code: 'bad_request' });
  });

  it('needs no session', async () => {
    stub.faults.push(500, 500, 500);
    const asked = request();
    await expect(topUp.createCheckout(asked)).rejects.toMatchObject({ code: 'checkout_failed' });
    const before = stub.requests.length;
    await topUp.cancelCheckout(orderOf(asked.orderId));
    expect(stub.requests).toHaveLength(before);
    expect(paymentStatus(orderOf(asked.orderId), now)).toBe('canceled');
  });

  it('stays if it was paid, and its event is still to come', async () => {
    const orderId = await begin();
    Object.assign(stub.sessions[0] ?? {}, { listed: { status: 'complete' } });
    const canceled = topUp.cancelCheckout(orderOf(orderId));
    await expect(canceled).rejects.toMatchObject({ code: 'bad_request' });
    expect(orderOf(orderId).state).toBe('ordered');
    await expect(topUp.endCheckouts(1)).rejects.toMatchObject({ code: 'account_kept' });
  });

  it('is given up also while Stripe does not respond, and a payment is credited nevertheless', async () => {
    const orderId = await begin();
    stub.faults.push(500, 500, 500);
    await topUp.cancelCheckout(orderOf(orderId));
    expect(logged.map(({ event }) => event)).toContain('checkout_not_ended');
    const { session, amount, currency } = orderOf(orderId);
    const paid = { orderId, session: session ?? '', paymentIntent: 'pi_1', amount, currency };
    const event = stripeEvent('checkout.session.completed', sessionObject(paid));
    expect(take(db, event)).toMatchObject({ outcome: 'credited', credits: 1_000 });
    expect(paymentStatus(orderOf(orderId), now)).toBe('paid');
  });

  it('ends all sessions of a customer whose account is deleted', async () => {
    await begin();
    await begin();
    await topUp.endCheckouts(1);
    const ended = stub.requests.filter(({ path }) => path.endsWith('/expire'));
    expect(ended.map(({ path }) => path)).toEqual([
      '/v1/checkout/sessions/cs_test_1/expire',
      '/v1/checkout/sessions/cs_test_2/expire',
    ]);
  });
});
