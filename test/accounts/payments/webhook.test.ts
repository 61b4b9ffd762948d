/** POST /webhooks/stripe of a real server: who gets in, what is written, and how often. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findCustomer, readBalance } from '../../../src/accounts/sql/customers.ts';
import { type ListedPayment, listPayments } from '../../../src/accounts/sql/payments.ts';
import { runOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import {
  expectAudited,
  getUsage,
  holdWriters,
  ledger,
  logged,
  openConnection,
  search,
} from '../../http/contract.ts';
import { rowsOf } from '../../support/accounts.ts';
import { withLimits } from '../../support/limits.ts';
import {
  CUSTOMER,
  copySampleIndex,
  createCustomer,
  removeDatabase,
  type Service,
  startService,
} from '../../support/service.ts';
import { addOrder, inStore } from './orders.ts';
import {
  chargeObject,
  deliver,
  disputeObject,
  type PaidOrder,
  SECRET_KEY,
  sessionObject,
  sign,
  stripeEvent,
  WEBHOOK_SECRET,
} from './stripe-stub.ts';

const BODY_BYTES_MAX = 20_000;
const limits = { webhookBytesMax: BODY_BYTES_MAX };
const env = {
  VERBATIM_STRIPE_SECRET_KEY: SECRET_KEY,
  VERBATIM_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  VERBATIM_LOCK_WAIT_MS: '2000',
  ...withLimits(limits),
};

let database: string;
let secret: string;
let service: Service;
/** The one before, which a test has killed. */
let killed: Service;

beforeAll(async () => {
  database = await copySampleIndex();
  ({ secret } = createCustomer(database, { credits: 0 }));
  service = await startService(database, env);
});

afterAll(async () => {
  await service.end();
  await expectAudited(database);
  await removeDatabase(database);
});

const newOrder = (): PaidOrder => inStore(database, (db) => addOrder(db));
const balance = (): number =>
  inStore(database, (db) =>
    runOnSqlite(db, readBalance(runOnSqlite(db, findCustomer(CUSTOMER)).id)),
  );
const paymentOf = ({ session }: PaidOrder): ListedPayment | undefined =>
  inStore(database, (db) => runOnSqlite(db, listPayments({ limit: 1_000 }))).find(
    (payment) => payment.session === session,
  );
const paid = (order: PaidOrder, changed: Record<string, unknown> = {}) =>
  stripeEvent('checkout.session.completed', sessionObject(order, changed));
const now = (): number => Math.floor(Date.now() / 1000);

describe('a signature', () => {
  type Headers = (body: string) => Record<string, string>;
  const good: [what: string, headers: Headers][] = [
    ['of now', (body) => ({ 'Stripe-Signature': sign(body) })],
    [
      'of almost 5 minutes ago',
      (body) => ({ 'Stripe-Signature': sign(body, { timestamp: now() - 280 }) }),
    ],
    [
      'of a clock that is ahead of ours',
      (body) => ({ 'Stripe-Signature': sign(body, { timestamp: now() + 600 }) }),
    ],
    [
      'beside one of a secret that is being replaced',
      (body) => {
        const other = sign(body, { secret: 'whsec_new' }).split(',')[1];
        return { 'Stripe-Signature': `${sign(body)},${other}` };
      },
    ],
    [
      'beside one of another scheme',
      (body) => ({ 'Stripe-Signature': `${sign(body)},v0=6ffbb59b2300aae63f272406069a9788` }),
    ],
  ];
  it.each(good)('%s is accepted', async (_what, headers) => {
    const order = newOrder();
    const body = JSON.stringify(paid(order));
    const response = await deliver(service.url, body, headers(body));
    expect([response.status, await response.json()]).toEqual([200, { received: true }]);
    expect(paymentOf(order)).toMatchObject({ state: 'paid', creditsGiven: 1_000 });
  });

  const bad: [what: string, headers: Headers][] = [
    ['that is empty', () => ({ 'Stripe-Signature': '' })],
    ['that is rubbish', () => ({ 'Stripe-Signature': 'rubbish' })],
    ['without time', (body) => ({ 'Stripe-Signature': String(sign(body).split(',')[1]) })],
    ['without signature', () => ({ 'Stripe-Signature': `t=${now()}` })],
    ['of another secret', (body) => ({ 'Stripe-Signature': sign(body, { secret: 'whsec_x' }) })],
    ['of the API key', (body) => ({ 'Stripe-Signature': sign(body, { secret: SECRET_KEY }) })],
    ['of another body', (body) => ({ 'Stripe-Signature': sign(`${body} `) })],
    ['of another scheme', (body) => ({ 'Stripe-Signature': sign(body).replace('v1=', 'v0=') })],
    [
      'with another time',
      (body) => ({ 'Stripe-Signature': sign(body).replace(/t=\d+/, `t=${now() - 1}`) }),
    ],
    [
      'of more than 5 minutes ago',
      (body) => ({ 'Stripe-Signature': sign(body, { timestamp: now() - 310 }) }),
    ],
    ['without a digit', (body) => ({ 'Stripe-Signature': sign(body).slice(0, -1) })],
  ];
  it.each(bad)('%s is rejected without a reason', async (_what, headers) => {
    const order = newOrder();
    const body = JSON.stringify(paid(order));
    const response = await deliver(service.url, body, headers(body));
    expect([response.status, await response.text()]).toEqual([400, 'invalid signature']);
    expect(paymentOf(order)).toMatchObject({ state: 'ordered', creditsGiven: 0 });
  });

  it('is required', async () => {
    const response = await fetch(`${service.url}/webhooks/stripe`, { method: 'POST', body: '{}' });
    expect([response.status, await response.text()]).toEqual([400, 'invalid signature']);
  });

  it('covers the bytes, not their meaning', async () => {
    const order = newOrder();
    const body = JSON.stringify(paid(order));
    const spaced = body.replace('{', '{ ');
    const refused = await deliver(service.url, spaced, { 'Stripe-Signature': sign(body) });
    expect(refused.status).toBe(400);
    const taken = await deliver(service.url, spaced, { 'Stripe-Signature': sign(spaced) });
    expect(taken.status).toBe(200);
  });
});

describe('a signed body', () => {
  it.each([
    ['half of it', '{"id":"evt_1"', 'expected an event as JSON'],
    ['no JSON', 'hello', 'expected an event as JSON'],
    ['null', 'null', 'event: expected an object'],
    ['a list', '[]', 'event: expected an object'],
    ['no event', '{}', 'type: expected a string'],
    [
      'a session without id',
      '{"id":"evt_1","created":1,"type":"checkout.session.completed","data":{"object":{"mode":"payment"}}}',
      'id: expected a string',
    ],
  ])('that is %s is rejected', async (_what, body, message) => {
    const response = await deliver(service.url, body);
    expect([response.status, await response.text()]).toEqual([400, message]);
  });

  it('that is too large is rejected, with or without a Content-Length', async () => {
    const order = newOrder();
    const body = JSON.stringify({ ...paid(order), padding: 'x'.repeat(BODY_BYTES_MAX) });
    const message = `request body must be at most ${BODY_BYTES_MAX} bytes`;
    const announced = await deliver(service.url, body);
    expect([announced.status, await announced.text()]).toEqual([413, message]);
    const chunked = await fetch(`${service.url}/webhooks/stripe`, {
      method: 'POST',
      headers: { 'Stripe-Signature': sign(body) },
      duplex: 'half',
      body: new Blob([body]).stream(),
    } as RequestInit);
    expect(chunked.status).toBe(413);
    expect(paymentOf(order)).toMatchObject({ state: 'ordered' });
  });

  it('may be larger than a search', async () => {
    const order = newOrder();
    const body = { ...paid(order), padding: 'x'.repeat(BODY_BYTES_MAX - 2_000) };
    expect((await deliver(service.url, body)).status).toBe(200);
  });

  it.each([
    ['customer.created', { id: 'cus_1' }],
    ['payout.paid', { id: 'po_1', amount: 5 }],
    ['a.type.of.the.future', {}],
    ['checkout.session.completed', { id: 'cs_else', mode: 'subscription' }],
    [
      'charge.refunded',
      { id: 'ch_1', payment_intent: 'pi_else', amount_refunded: 5, currency: 'usd' },
    ],
  ])('that is not ours is acknowledged and ignored: %s', async (type, object) => {
    const before = inStore(database, (db) => rowsOf(db, 'SELECT * FROM payment_events'));
    expect((await deliver(service.url, stripeEvent(type, object))).status).toBe(200);
    expect(inStore(database, (db) => rowsOf(db, 'SELECT * FROM payment_events'))).toEqual(before);
  });
});

describe('credit', () => {
  it('is added once for deliveries of one event at the same time', async () => {
    const before = balance();
    const order = newOrder();
    const body = JSON.stringify(paid(order));
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => deliver(service.url, body)),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(balance()).toBe(before + 1_000);
  });

  it('is added once for several events of one session at the same time', async () => {
    const before = balance();
    const order = newOrder();
    const events = Array.from({ length: 10 }, (_, index) =>
      index % 2 === 0
        ? paid(order)
        : stripeEvent('checkout.session.async_payment_succeeded', sessionObject(order)),
    );
    const responses = await Promise.all(events.map((event) => deliver(service.url, event)));
    expect(responses.every(({ status }) => status === 200)).toBe(true);
    expect(balance()).toBe(before + 1_000);
    expect(ledger(database).filter(({ reference }) => reference === order.session)).toMatchObject([
      { kind: 'topup', credits: 1_000 },
    ]);
  });

  it('is added for each of many purchases at the same time', async () => {
    const before = balance();
    const orders = Array.from({ length: 12 }, newOrder);
    await Promise.all(orders.map((order) => deliver(service.url, paid(order))));
    expect(balance()).toBe(before + 12_000);
  });

  it('is added when a delayed payment arrives', async () => {
    const before = balance();
    const order = newOrder();
    await deliver(service.url, paid(order, { payment_status: 'unpaid' }));
    expect([balance(), paymentOf(order)?.state]).toEqual([before, 'unpaid']);
    const succeeded = 'checkout.session.async_payment_succeeded';
    await deliver(service.url, stripeEvent(succeeded, sessionObject(order)));
    expect([balance(), paymentOf(order)?.state]).toEqual([before + 1_000, 'paid']);
  });

  it('is not added for another amount or currency, which is logged and stored', async () => {
    const before = balance();
    for (const changed of [{ amount_total: 1 }, { currency: 'eur' }]) {
      const order = newOrder();
      expect((await deliver(service.url, paid(order, changed))).status).toBe(200);
      expect(paymentOf(order)).toMatchObject({
        state: 'mismatch',
        creditsGiven: 0,
        problem: expect.stringMatching(/^paid .*, ordered \$5\.00$/),
      });
      const problem = paymentOf(order)?.problem;
      expect(logged(service, 'payment_problem')).toContainEqual(
        expect.objectContaining({ level: 'error', kind: 'session', problem }),
      );
    }
    expect(balance()).toBe(before);
  });

  it('is taken back if the refund arrives before the payment', async () => {
    const before = balance();
    const order = newOrder();
    await deliver(service.url, stripeEvent('charge.refunded', chargeObject(order, 100)));
    await deliver(service.url, paid(order));
    expect(balance()).toBe(before + 800);
  });

  it('is added once after a crash between the event and its response', async () => {
    const before = balance();
    const orders = Array.from({ length: 8 }, newOrder);
    const events = orders.map((order) => paid(order));
    const sent = events.map((event) => deliver(service.url, event).catch(() => undefined));
    await Promise.race(sent);
    killed = service;
    await service.end('SIGKILL');
    const answered = (await Promise.all(sent)).filter((response) => response?.status === 200);
    const credited = orders.filter((order) => paymentOf(order)?.state === 'paid');
    expect(credited.length).toBeGreaterThanOrEqual(answered.length);
    expect(balance()).toBe(before + 1_000 * credited.length);
    service = await startService(database, env);
    for (const event of events) expect((await deliver(service.url, event)).status).toBe(200);
    expect(balance()).toBe(before + 8_000);
  });

  it('that cannot be written returns 503, so Stripe sends the event again', async () => {
    const before = balance();
    const event = paid(newOrder());
    const release = holdWriters(database);
    const response = await deliver(service.url, event);
    release();
    expect([response.status, await response.text()]).toEqual([
      503,
      'service degraded, retry shortly',
    ]);
    await untilStatus(200, () => deliver(service.url, event));
    expect(balance()).toBe(before + 1_000);
  });
});

describe('a delivery that never ends', () => {
  it('times out, and blocks others only while no permit is free', async () => {
    const copy = await copySampleIndex();
    const bounds = withLimits({ ...limits, webhooksInFlightMax: 1, bodyTimeoutMs: 3_000 });
    const server = await startService(copy, { ...env, ...bounds });
    const stuck = await openConnection(server.url);
    const head = ['POST /webhooks/stripe HTTP/1.1', 'Host: localhost', 'Content-Length: 100'];
    stuck.socket.write([...head, `Stripe-Signature: ${sign('{}')}`, '', '{'].join('\r\n'));
    const ping = stripeEvent('customer.created', { id: 'cus_1' });
    const refused = await untilStatus(503, () => deliver(server.url, ping));
    expect([await refused.text(), refused.headers.get('retry-after')]).toEqual([
      'server at capacity, retry shortly',
      '1',
    ]);
    expect((await untilStatus(200, () => deliver(server.url, ping))).status).toBe(200);
    expect(stuck.text()).toContain('408');
    stuck.socket.destroy();
    await server.end();
    await removeDatabase(copy);
  });
});

/** Asks again until the answer is this one, for a bounded time. */
async function untilStatus(status: number, ask: () => Promise<Response>): Promise<Response> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const response = await ask();
    if (response.status === status || Date.now() > deadline) return response;
    await wait(20);
  }
}

describe('a debt', () => {
  it('is 402 and a balance of 0 for customers, and visible to the operator', async () => {
    const order = newOrder();
    await deliver(service.url, paid(order));
    const caller = { url: service.url, secret };
    expect((await search(caller, { query: 'sleep' })).status).toBe(200);
    // Every payment goes back, and one search was spent.
    for (const { session, paymentIntent, amount, currency } of inStore(database, (db) =>
      runOnSqlite(db, listPayments({ limit: 1_000 })),
    )) {
      if (session === null || paymentIntent === null) continue;
      const disputed = { orderId: '', session, paymentIntent, amount, currency };
      const event = stripeEvent('charge.dispute.created', disputeObject(disputed, 'lost'));
      expect((await deliver(service.url, event)).status).toBe(200);
    }
    expect(balance()).toBe(-1);
    const refused = await search(caller, { query: 'sleep' });
    expect([refused.status, refused.headers['x-credit-balance']]).toEqual([402, '0']);
    expect(JSON.parse((await getUsage(caller)).text)).toMatchObject({ balance: 0 });
  });
});

describe('the log', () => {
  it('contains no secret, signature or body', () => {
    const text = JSON.stringify([...killed.log, ...service.log]);
    for (const secretText of [SECRET_KEY, WEBHOOK_SECRET, 'v1=', 'checkout.stripe.com']) {
      expect(text).not.toContain(secretText);
    }
    const paths = logged(service, 'request').map((entry) => entry['path']);
    expect(paths).toContain('/webhooks/stripe');
  });
});

describe('without Stripe settings', () => {
  it('the webhook returns 404', async () => {
    const plain = await copySampleIndex();
    const server = await startService(plain);
    const response = await deliver(server.url, '{}');
    expect([response.status, await response.text()]).toEqual([404, 'not found']);
    await server.end();
    await removeDatabase(plain);
  });
});
