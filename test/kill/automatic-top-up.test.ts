/**
 * A server that is killed at each step of an automatic top-up. Whatever the step: the card is charged
 * once, and the charge becomes credit once, by Stripe's event or by `verbatim payment reconcile`.
 */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveTopUpCard, startTopUp } from '../../src/accounts/sql/automatic-top-up-rows.ts';
import { auditLedger } from '../../src/accounts/sqlite/ledger/audit.ts';
import { changeOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import {
  deliver,
  SECRET_KEY,
  type StripeStub,
  sign,
  startStripeStub,
  stripeEvent,
  WEBHOOK_SECRET,
} from '../accounts/payments/stripe-stub.ts';
import { addKey, addSomeone, inStore } from '../support/history.ts';
import { withLimits } from '../support/limits.ts';
import {
  copySampleIndex,
  postSearch,
  removeDatabase,
  type Service,
  startService,
} from '../support/service.ts';
import { runJson } from '../support/verbatim.ts';

const TERMS = { threshold: 5, credits: 1_000, amount: 500, currency: 'usd' };
/** The search that lets the balance fall. */
const SPENT = 1;

let stripe: StripeStub;
let service: Service;
let database: string;
let env: Record<string, string>;

beforeAll(async () => {
  stripe = await startStripeStub();
  database = await copySampleIndex();
  env = {
    VERBATIM_STRIPE_SECRET_KEY: SECRET_KEY,
    VERBATIM_STRIPE_ADDRESS: stripe.address,
    VERBATIM_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    ...withLimits({ topUpCheckMs: 5, topUpRetryMs: 50, stripeRetriesMax: 0 }),
  };
  service = await startService(database, env);
});
afterAll(async () => {
  await service.end();
  await removeDatabase(database);
  await stripe.close();
});

async function restart(): Promise<void> {
  await service.end('SIGKILL');
  inStore(database, (db) => db.exec('DROP TRIGGER IF EXISTS blocked'));
  service = await startService(database, env);
}

/** Lets a change of the database fail, as if the server had been killed just before it. */
function block(change: string): void {
  inStore(database, (db) =>
    db.exec(
      `CREATE TRIGGER blocked BEFORE ${change} BEGIN SELECT RAISE(ABORT, 'blocked by a test'); END`,
    ),
  );
}

interface Payer {
  customerId: number;
  secret: string;
  stripeCustomer: string;
}

let payers = 0;

/** Somebody whose balance is at the threshold, and whose month allows two orders. */
function addPayer(): Payer {
  const email = `payer-${++payers}@example.org`;
  const { customerId } = addSomeone(database, { email, credits: TERMS.threshold });
  const setUp = crypto.randomUUID();
  const stripeCustomer = `cus_${setUp}`;
  inStore(database, (db) => {
    const agreed = { customerId, setUp, amountPerMonthMax: 2 * TERMS.amount, now: Date.now() };
    const card = { stripeCustomer, paymentMethod: `pm_${setUp}`, card: 'visa 4242' };
    changeOnSqlite(db, startTopUp({ ...TERMS, ...agreed }));
    changeOnSqlite(db, saveTopUpCard({ setUp, ...card }));
  });
  return { customerId, secret: addKey(database, customerId, 'agent').secret, stripeCustomer };
}

const intentsOf = ({ stripeCustomer }: Payer) =>
  stripe.cards.intents.filter(({ customer }) => customer === stripeCustomer);
const paidEvent = (payer: Payer) =>
  stripeEvent('payment_intent.succeeded', { ...intentsOf(payer)[0] });
const hasFailed = (event: string) => () =>
  service.log.some((line) => line['event'] === event && JSON.stringify(line).includes('blocked'));

function booksOf({ customerId }: Payer) {
  return inStore(database, (db) => ({
    balance: db.prepare('SELECT balance FROM customers WHERE id = ?').pluck().get(customerId),
    topUps: db
      .prepare(
        "SELECT credits FROM ledger_entries WHERE customer_id = ? AND kind = 'topup' AND reference IS NOT NULL",
      )
      .pluck()
      .all(customerId),
    orders: db
      .prepare('SELECT state, session FROM payments WHERE customer_id = ?')
      .all(customerId) as { state: string; session: string | null }[],
  }));
}

async function fall({ secret }: Payer): Promise<void> {
  expect((await postSearch(service.url, secret)).status).toBe(200);
  // Until it is charged, the next start would return the credit.
  const holds = () => inStore(database, (db) => db.prepare('SELECT 1 FROM open_holds').all());
  await expect.poll(holds).toEqual([]);
}

/** Resolves when the database knows which payment Stripe has made of the order. */
async function isNamed(payer: Payer): Promise<void> {
  await expect.poll(() => booksOf(payer).orders[0]?.session ?? '').toMatch(/^pi_/);
}

async function isAsked(payer: Payer, requests: number): Promise<void> {
  await expect.poll(() => stripe.requests.length).toBeGreaterThan(requests);
  expect(booksOf(payer).orders).toHaveLength(1);
}

/** The end of each story: one charge, one credit, whatever is told again. */
async function expectOneTopUp(payer: Payer): Promise<void> {
  await isNamed(payer);
  expect(intentsOf(payer)).toHaveLength(1);
  const event = paidEvent(payer);
  for (const again of [event, event, paidEvent(payer)]) {
    expect((await deliver(service.url, again)).status).toBe(200);
  }
  await expectBooks(payer);
}

async function expectBooks(payer: Payer): Promise<void> {
  expect(booksOf(payer)).toEqual({
    balance: TERMS.threshold - SPENT + TERMS.credits,
    topUps: [TERMS.credits],
    orders: [{ state: 'paid', session: intentsOf(payer)[0]?.id }],
  });
  expect(intentsOf(payer)).toHaveLength(1);
  expect(inStore(database, auditLedger).differences).toEqual([]);
}

describe('a server that is killed', () => {
  it.each([
    ['before the order is written', 'INSERT ON payments', 0],
    ['after the order, before it is claimed', 'UPDATE OF ask_at ON payments', 1],
    ['after Stripe’s answer, before it is stored', 'UPDATE OF payment_intent ON payments', 1],
  ])('%s', async (_when, change, orders) => {
    const payer = addPayer();
    block(change);
    await fall(payer);
    await expect.poll(hasFailed('top_ups_failed')).toBe(true);
    expect(booksOf(payer).orders).toHaveLength(orders);
    await restart();
    await expectOneTopUp(payer);
  });

  it.each(['hang', 'hang_after_work'] as const)(
    'while Stripe is asked, which does this: %s',
    async (fault) => {
      const payer = addPayer();
      const { length } = stripe.requests;
      stripe.faults.push(fault);
      await fall(payer);
      await isAsked(payer, length);
      await restart();
      await expectOneTopUp(payer);
    },
  );

  it.each([
    ['before the credit is written', 'INSERT ON ledger_entries'],
    ['after the credit, before the event is', 'INSERT ON payment_events'],
  ])('%s', async (_when, change) => {
    const payer = addPayer();
    await fall(payer);
    await isNamed(payer);
    block(change);
    const event = paidEvent(payer);
    expect((await deliver(service.url, event)).status).toBeGreaterThanOrEqual(500);
    expect(booksOf(payer)).toMatchObject({ topUps: [], orders: [{ state: 'ordered' }] });
    await restart();
    expect((await deliver(service.url, event)).status).toBe(200);
    await expectOneTopUp(payer);
  });

  it('while an event arrives: in the middle of it, and as soon as it is sent', async () => {
    const payer = addPayer();
    await fall(payer);
    await isNamed(payer);
    const event = JSON.stringify(paidEvent(payer));
    await sendAndKill(event, event.slice(0, 40));
    expect(booksOf(payer)).toMatchObject({ topUps: [] });
    await sendAndKill(event, event);
    await expectOneTopUp(payer);
  });

  it('and whose events are lost gets the credit from `verbatim payment reconcile`, once', async () => {
    const payer = addPayer();
    const { length } = stripe.requests;
    stripe.faults.push('hang_after_work');
    await fall(payer);
    await isAsked(payer, length);
    await service.end('SIGKILL');
    // Nobody has told this database which payment Stripe has made of the order.
    expect(booksOf(payer).orders).toEqual([{ state: 'ordered', session: null }]);
    const reconcile = (): Promise<{ found: unknown[] }> =>
      runJson(['payment', 'reconcile', '--db', database], { env });
    expect((await reconcile()).found).toMatchObject([{ outcome: 'credited', credits: 1_000 }]);
    expect((await reconcile()).found).toEqual([]);
    await restart();
    await expectBooks(payer);
    expect((await deliver(service.url, paidEvent(payer))).status).toBe(200);
    await expectBooks(payer);
  });
});

/** Sends a part of a signed event, kills the server, and starts it again. */
async function sendAndKill(event: string, part: string): Promise<void> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  const closed = new Promise((resolve) => socket.on('error', () => {}).once('close', resolve));
  const head = [
    'POST /webhooks/stripe HTTP/1.1',
    `Host: ${hostname}`,
    'Content-Type: application/json',
    `Stripe-Signature: ${sign(event)}`,
    `Content-Length: ${Buffer.byteLength(event)}`,
  ];
  await new Promise<void>((resolve) => {
    socket.write(`${head.join('\r\n')}\r\n\r\n${part}`, () => resolve());
  });
  await restart();
  socket.destroy();
  await closed;
}
