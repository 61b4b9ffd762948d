/**
 * Automatic top-ups of two servers with one PostgreSQL. Both see every balance, and are killed while
 * Stripe is asked. Each order is charged once, each charge becomes credit once, and no month is exceeded.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountStore } from '../../../src/accounts/ports/account-store.ts';
import { openPostgresAccounts } from '../../../src/accounts/postgres/postgres-accounts.ts';
import { createPostgresOperator } from '../../../src/accounts/postgres/postgres-operator.ts';
import { commandLine } from '../../../src/accounts/sql/operator-trail.ts';
import { databaseOptions } from '../../../src/database/postgres/database-options.ts';
import { type Database, openDatabase } from '../../../src/database/postgres/postgres-database.ts';
import { createLog } from '../../../src/log.ts';
import { readSettings } from '../../../src/settings/config.ts';
import { PASSWORD } from '../../support/history.ts';
import { withLimits } from '../../support/limits.ts';
import { createClient, formTokenIn } from '../../support/pages.ts';
import {
  copySampleIndex,
  removeDatabase,
  type Service,
  startService,
} from '../../support/service.ts';
import { runJson } from '../../support/verbatim.ts';
import type { StubIntent } from '../payments/stripe-cards-stub.ts';
import {
  deliver,
  SECRET_KEY,
  type StripeStub,
  startStripeStub,
  stripeEvent,
  WEBHOOK_SECRET,
} from '../payments/stripe-stub.ts';
import { type Cluster, startCluster } from './postgres-cluster.ts';

const CUSTOMERS = 6;
const PACK = { credits: 1_000, amount: 500, currency: 'usd' };
/** Four packs. No pack lifts the balance to the threshold, so only the month ends the orders. */
const TERMS = { ...PACK, threshold: 1_000_000, amountPerMonthMax: 2_000 };
/**
 * After so many charges a server is killed before it has Stripe's answer. Between two kills every customer
 * is charged once more at most, because events wait until both servers are there again.
 */
const KILLS: readonly number[] = [3, 9, 15];
/** No event tells of this charge. */
const LOST = 6;

let stripe: StripeStub;
let cluster: Cluster;
let store: AccountStore;
let database: Database;
let databases: string[];
let env: Record<string, string>;
const servers: Service[] = [];
const restarts: Promise<void>[] = [];
const events: Promise<void>[] = [];

beforeAll(async () => {
  stripe = await startStripeStub();
  cluster = startCluster();
  const settings = readSettings({ accountsAddress: cluster.url }, {});
  store = await openPostgresAccounts({ log: createLog(() => {}), settings });
  database = openDatabase(databaseOptions(settings));
  databases = [await copySampleIndex(), await copySampleIndex()];
  env = {
    VERBATIM_ACCOUNTS: cluster.url,
    VERBATIM_STRIPE_SECRET_KEY: SECRET_KEY,
    VERBATIM_STRIPE_ADDRESS: stripe.address,
    VERBATIM_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    ...withLimits({
      stripeTimeoutMs: 2_000,
      stripeRetriesMax: 0,
      topUpCheckMs: 5,
      topUpRetryMs: 20,
    }),
  };
  servers.push(...(await Promise.all([start(0), start(1)])));
});

afterAll(async () => {
  await Promise.all([...restarts, ...events]);
  for (const server of servers) await server.end();
  for (const path of databases) await removeDatabase(path);
  await store.close(0);
  await database.close();
  cluster.stop();
  await stripe.close();
});

const start = (place: number): Promise<Service> => startService(databases[place] ?? '', env);

/** Kills a server while Stripe answers somebody, and starts it again. */
async function replace(place: number): Promise<void> {
  await servers[place]?.end('SIGKILL');
  servers[place] = await start(place);
}

/** Tells a server of a payment as Stripe does: repeatedly, until one has taken it. */
async function tell(intent: StubIntent, place: number): Promise<void> {
  const event = stripeEvent('payment_intent.succeeded', intent);
  for (let attempt = place; ; attempt++) {
    await Promise.all(restarts);
    const status = await deliver(servers[attempt % 2]?.url ?? '', event).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    await pause(10);
  }
}

/** What a customer was charged, by order, and what they have. */
const readOrders = () =>
  database.query<{ customerId: number; month: string; orders: number; sum: number }>(
    `SELECT customer_id AS "customerId", to_char(to_timestamp(created_at / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM') AS month,
       count(*) AS orders, sum(amount)::bigint AS sum
     FROM payments WHERE state = 'paid' GROUP BY 1, 2`,
  );
const countFull = async (): Promise<number> =>
  (await database.query("SELECT 1 FROM billing_notices WHERE kind = 'top_up_limit'")).length;

it('charge each order once and keep to the month, whoever is killed', async () => {
  const operator = createPostgresOperator(database, commandLine);
  let charges = 0;
  stripe.cards.onPaid = (intent) => {
    charges++;
    if (KILLS.includes(charges)) restarts.push(replace(restarts.length % 2));
    if (charges === LOST) return;
    // Every other one twice, at both servers at once.
    events.push(tell(intent, 0), ...(charges % 2 === 0 ? [tell(intent, 1)] : []));
  };
  stripe.faults.push('after_work', 'drop', 'hang_after_work', 500);
  const customers: number[] = [];
  for (let number = 1; number <= CUSTOMERS; number++) {
    const email = `payer-${number}@example.org`;
    const now = Date.now();
    const { customer } = await operator.addCustomer({ email, now, linkExpiresAt: now });
    customers.push(customer.id);
    const setUp = crypto.randomUUID();
    await store.startTopUp({ ...TERMS, customerId: customer.id, setUp, now });
    const card = {
      stripeCustomer: `cus_${number}`,
      paymentMethod: `pm_${setUp}`,
      card: 'visa 4242',
    };
    await store.saveTopUpCard({ setUp, ...card });
  }

  // Nobody is told of one charge, so its customer is charged no more until Stripe is asked for it.
  await expect.poll(countFull).toBe(CUSTOMERS - 1);
  await Promise.all(events);
  expect(restarts).toHaveLength(KILLS.length);
  const reconcile = () =>
    runJson<{ found: unknown[] }>(['payment', 'reconcile', '--db', databases[0] ?? ''], { env });
  expect((await reconcile()).found).toMatchObject([{ outcome: 'credited', credits: 1_000 }]);
  await expect.poll(countFull).toBe(CUSTOMERS);
  await Promise.all(events);
  expect((await reconcile()).found).toEqual([]);

  const { intents } = stripe.cards;
  const orderOf = ({ metadata }: StubIntent) =>
    (metadata as Record<string, string>)['verbatim_order'];
  expect(new Set(intents.map(orderOf)).size).toBe(intents.length);
  const paid = await readOrders();
  expect(paid.every(({ sum }) => sum <= TERMS.amountPerMonthMax)).toBe(true);
  expect(paid.reduce((sum, { orders }) => sum + orders, 0)).toBe(intents.length);
  const open = await database.query(
    "SELECT 1 FROM payments WHERE state <> 'paid' OR ask_at IS NOT NULL",
  );
  expect(open).toEqual([]);
  for (const [index, customerId] of customers.entries()) {
    const own = intents.filter(({ customer }) => customer === `cus_${index + 1}`);
    expect(own.length).toBeGreaterThanOrEqual(4);
    expect(await store.readBalance(customerId)).toBe(own.length * PACK.credits);
  }
  expect((await operator.audit()).differences).toEqual([]);
});

describe('a form that is sent to both servers at once', () => {
  const hidden = (html: string, name: string): string =>
    new RegExp(`name="${name}" value="([\\w-]+)"`).exec(html)?.[1] ?? '';

  /** Somebody who is signed in at both, since sessions are in the database. */
  async function signIn(email: string) {
    const operator = createPostgresOperator(database, commandLine);
    const now = Date.now();
    const { customer, link } = await operator.addCustomer({
      email,
      now,
      linkExpiresAt: now + 60_000,
    });
    const first = createClient(servers[0]?.url ?? '');
    const fields = { token: link.token, new_password: PASSWORD, new_password_again: PASSWORD };
    const path = `/dashboard/link?token=${link.token}`;
    expect((await first.submit('/dashboard/link', fields, path)).status).toBe(303);
    const clients = [first, createClient(servers[1]?.url ?? '', first.cookie)];
    return {
      customerId: customer.id,
      clients,
      page: async (at: string) => (await first.get(at)).text,
    };
  }

  it('creates one key, and rotates it once; the other one says so', async () => {
    const { customerId, clients, page } = await signIn('forms@example.org');
    const keys = async () => await store.listOwnKeys({ customerId, now: Date.now() });
    const html = await page('/dashboard/keys');
    const fields = { form_token: formTokenIn(html), form_copy: hidden(html, 'form_copy') };
    const creation = { ...fields, name: 'Agent', cap: '', expires: '' };
    const created = await Promise.all(
      clients.map((client) => client.post('/dashboard/keys', creation)),
    );
    expect(created.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect(created.map(({ text }) => text).join()).toContain('This was done before, once');
    const [key] = await keys();
    expect(await keys()).toHaveLength(1);

    const path = `/dashboard/keys/${key?.prefix}/rotate`;
    const asked = await page(path);
    const rotation = { ...fields, form_copy: hidden(asked, 'form_copy'), grace: '24h' };
    const rotated = await Promise.all(clients.map((client) => client.post(path, rotation)));
    expect(rotated.map(({ status }) => status).sort()).toEqual([303, 409]);
    expect(await keys()).toMatchObject([{ oldPrefix: key?.prefix }]);
  });

  it('buys one pack, and leads to one payment page', async () => {
    const { customerId, clients, page } = await signIn('buyer@example.org');
    const html = await page('/dashboard/billing');
    const fields = { form_token: formTokenIn(html), order: hidden(html, 'order'), credits: '1000' };
    const bought = await Promise.all(
      clients.map((client) => client.post('/dashboard/billing', fields)),
    );
    expect(bought.map(({ status }) => status)).toEqual([303, 303]);
    expect(new Set(bought.map(({ headers }) => headers.location)).size).toBe(1);
    expect(stripe.sessions).toHaveLength(1);
    const { rows: payments } = await store.readBilling({ customerId, paymentsMax: 9 });
    expect(payments).toHaveLength(1);
  });
});
