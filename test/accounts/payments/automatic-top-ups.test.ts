/** Automatic top-up through a real server, with Stripe as a stub: consent, charges, declines, the end. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLedger } from '../../../src/accounts/sqlite/ledger/audit.ts';
import { addKey, addSomeone, inStore, type Someone } from '../../support/history.ts';
import { withLimits } from '../../support/limits.ts';
import { signedInClient } from '../../support/pages.ts';
import {
  copySampleIndex,
  postSearch,
  removeDatabase,
  type Service,
  startService,
} from '../../support/service.ts';
import {
  deliver,
  SECRET_KEY,
  type StripeStub,
  startStripeStub,
  stripeEvent,
  WEBHOOK_SECRET,
} from './stripe-stub.ts';

const PATH = '/dashboard/billing/automatic';
const FIELDS = { threshold: '5', pack: '1000', month_max: '20', agree: 'yes', card: 'new' };

let stripe: StripeStub;
let service: Service;
let database: string;
const start = (checkMs = 5): Promise<Service> =>
  startService(database, {
    VERBATIM_STRIPE_SECRET_KEY: SECRET_KEY,
    VERBATIM_STRIPE_ADDRESS: stripe.address,
    VERBATIM_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    ...withLimits({ topUpCheckMs: checkMs, topUpRetryMs: 50, stripeRetriesMax: 1 }),
  });
beforeAll(async () => {
  stripe = await startStripeStub();
  database = await copySampleIndex();
  service = await start();
});
afterAll(async () => {
  await service.end();
  await removeDatabase(database);
  await stripe.close();
});

let people = 0;
interface Payer extends Someone {
  secret: string;
}

function addPayer(credits = 5): Payer {
  const someone = addSomeone(database, { email: `payer-${++people}@example.org`, credits });
  return { ...someone, secret: addKey(database, someone.customerId, 'agent').secret };
}

/** Agrees in the form, and reports the card as Stripe would. */
async function turnOn(
  payer: Payer,
  changed: Partial<typeof FIELDS> = {},
): Promise<{ setupIntent: string; event: object }> {
  const client = await signedInClient(service.url, payer.email);
  const setUp = crypto.randomUUID();
  const sent = { ...FIELDS, ...changed, set_up: setUp };
  const got = await client.submit(PATH, sent, '/dashboard/billing');
  expect(got.status, got.text).toBe(303);
  expect(got.headers.location).toMatch(/^https:\/\/checkout\.stripe\.com\//);
  const setupIntent = `seti_${setUp}`;
  const event = stripeEvent('checkout.session.completed', {
    id: `cs_${setUp}`,
    object: 'checkout.session',
    mode: 'setup',
    setup_intent: setupIntent,
    metadata: { verbatim_set_up: setUp },
  });
  expect((await deliver(service.url, event)).status).toBe(200);
  return { setupIntent, event };
}

/** A search that lets the balance fall below the threshold. */
async function fall({ secret }: Payer): Promise<void> {
  expect((await postSearch(service.url, secret)).status).toBe(200);
}

const intentsOf = (setupIntent: string) =>
  stripe.cards.intents.filter(({ customer }) => customer === `cus_of_${setupIntent}`);
const report = (type: string, intent: object) =>
  deliver(service.url, stripeEvent(`payment_intent.${type}`, { ...intent }));
const billing = async ({ email }: Payer): Promise<string> =>
  (await (await signedInClient(service.url, email)).get('/dashboard/billing')).text;
const balanceOf = ({ customerId }: Payer): number =>
  inStore(database, (db) =>
    Number(db.prepare('SELECT balance FROM customers WHERE id = ?').pluck().get(customerId)),
  );
const ordersOf = ({ customerId }: Payer): number =>
  inStore(database, (db) =>
    Number(
      db.prepare('SELECT count(*) FROM payments WHERE customer_id = ?').pluck().get(customerId),
    ),
  );

describe('automatic top-up', () => {
  it('charges the card once for a fall, and only Stripe’s event adds the credit', async () => {
    const payer = addPayer();
    const { setupIntent, event } = await turnOn(payer);
    expect((await deliver(service.url, event)).status).toBe(200);
    expect(await billing(payer)).toContain('Card: Visa 4242');
    await fall(payer);
    await expect.poll(() => intentsOf(setupIntent)).toHaveLength(1);
    const [intent = { id: '' }] = intentsOf(setupIntent);
    expect(intent).toMatchObject({ amount: 500, currency: 'usd' });
    const request = stripe.requests.find(({ path }) => path === '/v1/payment_intents');
    expect(request?.parameters.get('off_session')).toBe('true');
    expect(request?.parameters.get('confirm')).toBe('true');
    expect(balanceOf(payer)).toBe(4);
    await fall(payer);
    for (const type of ['succeeded', 'succeeded']) {
      expect((await report(type, intent)).status).toBe(200);
    }
    expect(balanceOf(payer)).toBe(1_003);
    expect(await billing(payer)).toMatch(/Paid.*Automatic/s);
    expect(ordersOf(payer)).toBe(1);
    expect(intentsOf(setupIntent)).toHaveLength(1);
  });

  it.each([
    ['card_declined', 'Your card was declined.'],
    ['authentication_required', 'Your bank wants you to confirm payments'],
  ])('pauses after %s, asks no more, and says why', async (code, words) => {
    const payer = addPayer();
    const { setupIntent } = await turnOn(payer);
    stripe.cards.declines.push(code);
    await fall(payer);
    await expect.poll(() => billing(payer)).toContain(words);
    const [intent = {}] = intentsOf(setupIntent);
    expect((await report('payment_failed', intent)).status).toBe(200);
    await fall(payer);
    expect(intentsOf(setupIntent)).toHaveLength(1);
    expect(ordersOf(payer)).toBe(1);
    const client = await signedInClient(service.url, payer.email);
    const again = { ...FIELDS, card: 'keep', set_up: 'x' };
    expect((await client.submit(PATH, again, '/dashboard/billing')).status).toBe(303);
    await expect.poll(() => intentsOf(setupIntent)).toHaveLength(2);
  });

  it('says what the month has come to, and when it is full, until the limit is raised', async () => {
    const payer = addPayer();
    const { setupIntent } = await turnOn(payer, { month_max: '7' });
    expect(await billing(payer)).toContain('Bought this month: $0.00 of at most $7.00.');
    await fall(payer);
    await expect.poll(() => intentsOf(setupIntent)).toHaveLength(1);
    const full = await billing(payer);
    expect(full).toContain('Limit reached');
    expect(full).toMatch(
      /this month come to \$5\.00, and another pack would exceed your monthly limit of \$7\.00\. Nothing is bought automatically until [A-Z][a-z]+ 1 \(UTC\)/,
    );
    const client = await signedInClient(service.url, payer.email);
    const raised = { ...FIELDS, card: 'keep', set_up: 'x' };
    expect((await client.submit(PATH, raised, '/dashboard/billing')).status).toBe(303);
    expect(await billing(payer)).toContain('Bought this month: $5.00 of at most $20.00.');
  });

  it('repeats the question and not the charge if Stripe’s answer is lost', async () => {
    const payer = addPayer();
    const { setupIntent } = await turnOn(payer);
    stripe.faults.push('after_work', 500, 'drop', 500);
    await fall(payer);
    await expect.poll(() => intentsOf(setupIntent).length).toBe(1);
    await expect
      .poll(() =>
        inStore(database, (db) =>
          db
            .prepare('SELECT session FROM payments WHERE customer_id = ?')
            .pluck()
            .get(payer.customerId),
        ),
      )
      .toBe(intentsOf(setupIntent)[0]?.id);
    expect(intentsOf(setupIntent)).toHaveLength(1);
  });

  it('survives a kill between the order and its answer', async () => {
    const payer = addPayer();
    const { setupIntent } = await turnOn(payer);
    stripe.faults.push('hang');
    await fall(payer);
    await expect.poll(() => ordersOf(payer)).toBe(1);
    await service.end('SIGKILL');
    stripe.faults.length = 0;
    service = await start();
    await expect.poll(() => intentsOf(setupIntent).length).toBe(1);
    expect((await report('succeeded', intentsOf(setupIntent)[0] ?? {})).status).toBe(200);
    expect(ordersOf(payer)).toBe(1);
    expect(balanceOf(payer)).toBeGreaterThanOrEqual(1_004);
  });

  it('is turned off with its card, and a card that was removed is charged no more', async () => {
    const payer = addPayer();
    const { setupIntent, event } = await turnOn(payer);
    const client = await signedInClient(service.url, payer.email);
    expect((await client.submit(`${PATH}/off`, {}, '/dashboard/billing')).status).toBe(303);
    await expect.poll(() => stripe.cards.gone).toContain(`cus_of_${setupIntent}`);
    expect(stripe.cards.gone).toContain(`pm_of_${setupIntent}`);
    await fall(payer);
    // The event comes again: the card is not wanted any more.
    expect((await deliver(service.url, event)).status).toBe(200);
    expect(await billing(payer)).toContain('Save a card');
    expect(ordersOf(payer)).toBe(0);
  });

  it('is not begun by a forged, foreign, or incomplete form', async () => {
    const payer = addPayer();
    const client = await signedInClient(service.url, payer.email);
    const sent = { ...FIELDS, set_up: crypto.randomUUID() };
    expect((await client.post(PATH, sent)).status).toBe(403);
    const page = '/dashboard/billing';
    for (const [wrong, status] of [
      [{ agree: '' }, 422],
      [{ threshold: '0' }, 422],
      [{ month_max: 'x' }, 422],
      [{ month_max: '4.99' }, 400],
      [{ pack: '7' }, 400],
      [{ set_up: 'x' }, 400],
      [{ card: 'keep' }, 400],
    ] as const) {
      const got = await client.submit(PATH, { ...sent, ...wrong }, page);
      expect(got.status, JSON.stringify(wrong)).toBe(status);
    }
    expect((await client.get(page)).text).toContain('Save a card');
  });

  it('does not let an automatic order be paid on a payment page as well', async () => {
    const payer = addPayer();
    await turnOn(payer);
    stripe.faults.push('hang');
    await fall(payer);
    await expect.poll(() => ordersOf(payer)).toBe(1);
    const orderId = inStore(database, (db) =>
      String(
        db
          .prepare('SELECT order_id FROM payments WHERE customer_id = ?')
          .pluck()
          .get(payer.customerId),
      ),
    );
    const client = await signedInClient(service.url, payer.email);
    const path = `/dashboard/billing/${orderId}/continue`;
    expect((await client.submit(path, {}, '/dashboard/billing')).status).toBe(400);
  });

  it('ignores an event of a foreign order, and keeps the books', async () => {
    const metadata = { verbatim_order: crypto.randomUUID(), verbatim_automatic: '1' };
    const foreign = { id: 'pi_foreign', status: 'succeeded', amount_received: 9, amount: 9 };
    const response = await report('succeeded', { ...foreign, currency: 'usd', metadata });
    expect(response.status).toBe(200);
    await expect.poll(() => inStore(database, auditLedger).held).toBe(0);
    expect(inStore(database, auditLedger).differences).toEqual([]);
  });
});
