/** Buying credit, in a real browser, with Stripe as a stub on loopback; and where that is off. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findCustomer } from '../../src/accounts/sql/customers.ts';
import { runOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { addOrder } from '../accounts/payments/orders.ts';
import {
  deliver,
  SECRET_KEY,
  type StripeStub,
  sessionObject,
  startStripeStub,
  stripeEvent,
  WEBHOOK_SECRET,
} from '../accounts/payments/stripe-stub.ts';
import { useBrowser } from '../support/browser.ts';
import { addSomeone, inStore } from '../support/history.ts';
import { CHROMIUM } from '../support/launch-browser.ts';
import { createClient, formTokenIn, signedInClient, signIn, useServer } from '../support/pages.ts';
import { PATIENT } from '../support/patient.ts';

const ADA = 'ada@example.org';
const BOB = 'bob@example.org';

let stripe: StripeStub;
beforeAll(async () => {
  stripe = await startStripeStub();
});
afterAll(() => stripe.close());
const fill = (database: string): void => {
  addSomeone(database, { email: ADA, credits: 5 });
  addSomeone(database, { email: BOB });
};
const server = useServer(fill, () => ({
  // The transport of lanes must not change what Stripe's library sends.
  VERBATIM_LANE_CONTACT: 'ada@example.org',
  VERBATIM_STRIPE_SECRET_KEY: SECRET_KEY,
  VERBATIM_STRIPE_ADDRESS: stripe.address,
  VERBATIM_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  VERBATIM_SELLER_NAME: 'Sentences Ltd',
  VERBATIM_SELLER_ADDRESS: '1 Main Street | Springfield',
  VERBATIM_SELLER_TAX_LINE: 'VAT XX123',
}));
const withoutStripe = useServer(fill);
const browser = useBrowser(CHROMIUM);

describe('with Stripe', () => {
  it('a customer pays for a pack on Stripe’s page, and the event adds the credit', async () => {
    const { page, complaints } = await browser.visit(server.url);
    await page.route('https://checkout.stripe.com/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Pay here</title>' }),
    );
    await signIn(page, ADA);
    await page.goto('/dashboard/billing');
    expect(await page.locator('.pack').first().textContent()).toContain('$5.00');
    await page.getByRole('button', { name: 'Buy 1,000 credits' }).click();
    await page.waitForURL('https://checkout.stripe.com/c/pay/*');
    expect(await page.title()).toBe('Pay here');
    // Nothing but this page was loaded from elsewhere, and no policy was in its way.
    expect(complaints.every((text) => text.includes('https://checkout.stripe.com/'))).toBe(true);
    complaints.length = 0;

    const [session] = stripe.sessions;
    const parameters = session?.parameters;
    expect(parameters?.get('customer_email') ?? ADA).toBe(ADA);
    await page.goto(String(parameters?.get('success_url')));
    await page.getByRole('heading', { name: 'Waiting for Stripe' }).waitFor();
    expect(await page.locator('.chip').textContent()).toContain('5 credits');

    const paid = sessionObject({
      orderId: String(parameters?.get('metadata[verbatim_order]')),
      session: String(session?.id),
      paymentIntent: 'pi_1',
      amount: 500,
      currency: 'usd',
    });
    const event = stripeEvent('checkout.session.completed', paid);
    expect((await deliver(server.url, event)).status).toBe(200);
    // The page reloads by itself.
    await page.getByText('Thank you. 1,000 credits were added.').waitFor();
    expect(await page.locator('.chip').textContent()).toContain('1,005 credits');
    expect(await page.locator('tbody tr').first().textContent()).toContain('$5.00');
    expect(await page.locator('tbody .badge').first().textContent()).toBe('Paid');
    await page.getByRole('link', { name: 'Receipt' }).first().click();
    await page.waitForURL('**/receipt');
    const receipt = await page.getByRole('region', { name: 'Receipt' }).innerText();
    expect(receipt).toMatch(
      /Seller\s+Sentences Ltd\s+1 Main Street\s+Springfield\s+Buyer\s+ada@example\.org/,
    );
    expect(receipt).toMatch(
      /1,000 credits for searches\s+Paid\s+\$5\.00\s+Tax\s+VAT XX123\s+Payment\s+pi_1/,
    );
    const stranger = await signedInClient(server.url, BOB);
    const path = new URL(page.url()).pathname;
    expect((await stranger.get(path)).status).toBe(404);
    await page.goto('/dashboard/accounting?kind=payments');
    expect(await page.locator('tbody tr').first().textContent()).toContain(session?.id);
  });

  it('the page says that nothing was charged after a canceled payment', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    await page.goto('/dashboard/billing?done=cancelled');
    expect(await page.getByRole('status').textContent()).toContain('You were not charged');
  });

  it('the form rejects unknown packs, prices and forms of other customers', async () => {
    const own = await signedInClient(server.url, ADA);
    const sent = { credits: '999999', order: crypto.randomUUID(), amount: '1' };
    expect((await own.submit('/dashboard/billing', sent)).status).toBe(400);
    const before = stripe.sessions.length;
    const fields = { credits: '1000', order: crypto.randomUUID(), amount: '1' };
    expect((await own.post('/dashboard/billing', fields)).status).toBe(403);
    expect((await createClient(server.url).post('/dashboard/billing', fields)).status).toBe(403);
    expect(stripe.sessions).toHaveLength(before);
  });

  it('a form that is sent twice starts one purchase', async () => {
    const own = await signedInClient(server.url, ADA);
    const { text } = await own.get('/dashboard/billing');
    const order = String(/name="order" value="([\w-]+)"/.exec(text)?.[1]);
    const fields = { form_token: formTokenIn(text), credits: '1000', order };
    const before = stripe.sessions.length;
    const first = await own.post('/dashboard/billing', fields);
    const second = await own.post('/dashboard/billing', fields);
    expect([first.status, second.status]).toEqual([303, 303]);
    expect(second.headers.location).toBe(first.headers.location);
    expect(stripe.sessions).toHaveLength(before + 1);
  });

  it('an unfinished order is continued on its payment page, by its customer only', async () => {
    const own = await signedInClient(server.url, ADA);
    stripe.faults.push(500, 500, 500);
    const order = crypto.randomUUID();
    await own.submit('/dashboard/billing', { credits: '5000', order });
    const { text } = await own.get('/dashboard/billing');
    expect(text).toContain('Waiting for payment');
    expect((await own.get(`/dashboard/billing/${order}/receipt`)).status).toBe(404);
    const path = `/dashboard/billing/${order}/continue`;
    expect(text).toContain(`action="${path}"`);
    const stranger = await signedInClient(server.url, BOB);
    const token = formTokenIn((await stranger.get('/dashboard/billing')).text);
    expect((await stranger.post(path, { form_token: token })).status).toBe(404);
    const before = stripe.sessions.length;
    const got = [await own.submit(path, {}, '/dashboard/billing')];
    got.push(await own.submit(path, {}, '/dashboard/billing'));
    expect(got.map(({ status }) => status)).toEqual([303, 303]);
    expect(got[0]?.headers.location).toMatch(/^https:\/\/checkout\.stripe\.com\//);
    expect(got[1]?.headers.location).toBe(got[0]?.headers.location);
    expect(stripe.sessions).toHaveLength(before + 1);
    const session = stripe.sessions.at(-1)?.id ?? '';
    const expired = {
      orderId: order,
      session,
      paymentIntent: 'pi_x',
      amount: 2_400,
      currency: 'usd',
    };
    const changed = { payment_status: 'unpaid', payment_intent: null };
    const event = stripeEvent('checkout.session.expired', sessionObject(expired, changed));
    expect((await deliver(server.url, event)).status).toBe(200);
    expect((await own.submit(path, {}, '/dashboard/billing')).status).toBe(400);
    expect((await own.get('/dashboard/billing')).text).toContain('Expired');
  });

  it('lists payments in pages', async () => {
    const own = await signedInClient(server.url, BOB);
    inStore(server.database, (db) => {
      const { id: customerId } = runOnSqlite(db, findCustomer(BOB));
      for (let count = 0; count < 51; count++) addOrder(db, { customerId });
    });
    const first = (await own.get('/dashboard/billing')).text;
    const [next = ''] = /\/dashboard\/billing\?before=\d+/.exec(first) ?? [];
    const rows = (text: string): number => text.split('>Expired<').length - 1;
    expect(rows(first)).toBe(50);
    expect(rows((await own.get(next)).text)).toBe(1);
  });

  it('keeps the buyer’s address for receipts, as text', async () => {
    const own = await signedInClient(server.url, ADA);
    const page = '/dashboard/billing';
    const sent = { address: ' Ada <b>Lovelace</b> \r\n\r\n1 Main\u202e Street', tax_id: 'VAT 9' };
    expect((await own.submit(`${page}/preferences`, sent, page)).status).toBe(303);
    const { text } = await own.get(page);
    expect(text).toContain('Ada &lt;b>Lovelace&lt;/b>\n1 Main  Street</textarea>');
    for (const [field, wrong] of [
      ['address', 'x'.repeat(501)],
      ['address', 'x\n'.repeat(9)],
      ['tax_id', 'x'.repeat(61)],
    ] as const) {
      const got = await own.submit(`${page}/preferences`, { ...sent, [field]: wrong }, page);
      expect(got.status).toBe(400);
      expect(got.text).toContain('may have at most');
      expect(got.text).toContain(wrong.trim().slice(0, 20));
    }
    const [path = ''] =
      /\/dashboard\/billing\/[\w-]+\/receipt/.exec((await own.get(page)).text) ?? [];
    const receipt = (await own.get(path)).text;
    expect(receipt).toContain('<div>Ada &lt;b>Lovelace&lt;/b></div><div>1 Main  Street</div>');
    expect(receipt).toContain('<div>VAT 9</div>');
    const stranger = await signedInClient(server.url, BOB);
    expect((await stranger.get(page)).text).not.toContain('Lovelace');
  });

  it('only this page allows forms to lead to Stripe', async () => {
    const own = await signedInClient(server.url, ADA);
    const policyOf = async (path: string): Promise<string> =>
      String((await own.get(path)).headers['content-security-policy']);
    expect(await policyOf('/dashboard/billing')).toContain(
      "form-action 'self' https://checkout.stripe.com;",
    );
    expect(await policyOf('/dashboard/keys')).toContain("form-action 'self';");
  });

  it('the page shows an error if Stripe does not respond', async () => {
    const own = await signedInClient(server.url, ADA);
    stripe.faults.push(500, 500, 500);
    const fields = { credits: '1000', order: crypto.randomUUID() };
    const got = await own.submit('/dashboard/billing', fields);
    expect(got.status).toBe(503);
    expect(got.text).toContain('The payment page cannot be reached');
    await vi.waitFor(() => {
      expect(server.service.log.some(({ event }) => event === 'checkout_failed')).toBe(true);
    }, PATIENT);
  });
});

describe('without Stripe', () => {
  it('the page says who can add credit', async () => {
    const { page } = await browser.visit(withoutStripe.url);
    await signIn(page, ADA);
    await page.getByRole('link', { name: 'Top up', exact: true }).click();
    const text = await page.locator('main').textContent();
    expect(text).toContain('Ask the operator');
    expect(text).toContain(`Name your address, ${ADA}.`);
    expect(text).not.toContain('verbatim credit');
    expect(await page.getByRole('button', { name: /Buy/ }).count()).toBe(0);
  });

  it('a forged form starts nothing', async () => {
    const own = await signedInClient(withoutStripe.url, ADA);
    const token = formTokenIn((await own.get('/dashboard/account')).text);
    const fields = { form_token: token, credits: '1000', order: crypto.randomUUID() };
    expect((await own.post('/dashboard/billing', fields)).status).toBe(503);
  });
});
