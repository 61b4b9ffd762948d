/**
 * A bookkeeper's month, in a real browser: two purchases, a gift, calls, a refund, and a dispute. The
 * statement, its files, the operator's Money, and the audit agree with the ledger to the cent.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  chargeObject,
  deliver,
  disputeObject,
  type PaidOrder,
  SECRET_KEY,
  type StripeStub,
  sessionObject,
  startStripeStub,
  stripeEvent,
  WEBHOOK_SECRET,
} from '../accounts/payments/stripe-stub.ts';
import { useBrowser } from '../support/browser.ts';
import { addKey, addSomeone, inStore } from '../support/history.ts';
import { CHROMIUM } from '../support/launch-browser.ts';
import { createClient, signedInClient, signIn, useServer } from '../support/pages.ts';
import { PATIENT } from '../support/patient.ts';
import { postSearch } from '../support/service.ts';
import { runJson, runVerbatim } from '../support/verbatim.ts';

const ADA = 'ada@example.org';
const BILLING = '/dashboard/billing';

let stripe: StripeStub;
let secret = '';
beforeAll(async () => {
  stripe = await startStripeStub();
});
afterAll(() => stripe.close());
const server = useServer(
  (database) => {
    const { customerId } = addSomeone(database, { email: ADA });
    ({ secret } = addKey(database, customerId, 'Notebook'));
  },
  () => ({
    VERBATIM_STRIPE_SECRET_KEY: SECRET_KEY,
    VERBATIM_STRIPE_ADDRESS: stripe.address,
    VERBATIM_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    VERBATIM_SELLER_NAME: 'Sentences Ltd',
    VERBATIM_SELLER_TAX_LINE: 'VAT XX123 | No VAT is due',
    VERBATIM_OPERATOR: 'true',
  }),
);
const browser = useBrowser(CHROMIUM);

/** The order of the newest session at Stripe. */
function newestOrder(): PaidOrder {
  const { id = '', parameters } = stripe.sessions.at(-1) ?? expect.fail('no session');
  return {
    orderId: String(parameters.get('metadata[verbatim_order]')),
    session: id,
    paymentIntent: `pi_of_${id}`,
    amount: Number(parameters.get('line_items[0][price_data][unit_amount]')),
    currency: 'usd',
  };
}

async function report(type: string, object: Record<string, unknown>): Promise<void> {
  expect((await deliver(server.url, stripeEvent(type, object))).status).toBe(200);
}

/** What the ledger itself says, without any of the sums that are kept. */
function readLedger(): { balance: number; byKind: Record<string, number> } {
  return inStore(server.database, (db) => ({
    balance: Number(
      db.prepare('SELECT balance FROM ledger_entries ORDER BY id DESC LIMIT 1').pluck().get(),
    ),
    byKind: Object.fromEntries(
      db.prepare('SELECT kind, sum(credits) FROM ledger_entries GROUP BY kind').raw().all() as [
        string,
        number,
      ][],
    ),
  }));
}

interface Row {
  line: string;
  entries: number | null;
  credits: number | null;
  amount: string | null;
}

/** What each line says: its credits, or its amount. */
const figures = (rows: readonly Row[]): Record<string, number | string | null> =>
  Object.fromEntries(rows.map(({ line, credits, amount }) => [line, credits ?? amount]));

const EXPECTED = {
  'Opening balance': 0,
  Purchases: 6_000,
  Gifts: 70,
  Calls: -3,
  'Call refunds': 1,
  Reversals: -400,
  Disputes: -5_000,
  'Closing balance': 668,
  Paid: '29.00',
  Refunded: '2.00',
  Disputed: '24.00',
  'Paid, less refunds and disputes': '3.00',
};

describe('a month', () => {
  const month = new Date().toISOString().slice(0, 7);
  const path = `${BILLING}/statements/${month}`;

  it('begins with a purchase whose page waits for Stripe, and reloads by itself', async () => {
    const { page } = await browser.visit(server.url);
    await page.route('https://checkout.stripe.com/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Pay here</title>' }),
    );
    await signIn(page, ADA);
    await page.goto(BILLING);
    await page.getByRole('button', { name: 'Buy 1,000 credits' }).click();
    await page.waitForURL('https://checkout.stripe.com/c/pay/*');
    await page.goto(String(stripe.sessions.at(-1)?.parameters.get('success_url')));
    await page.getByRole('heading', { name: 'Waiting for Stripe' }).waitFor();
    const order = newestOrder();
    await report('checkout.session.completed', sessionObject(order));
    await page.getByText('Thank you. 1,000 credits were added.').waitFor();
    await page
      .getByRole('status')
      .getByRole('link', { name: /-0001$/ })
      .click();
    await page.waitForURL('**/receipt');
    const receipt = await page.getByRole('region', { name: 'Receipt' }).innerText();
    expect(receipt).toContain('Sentences Ltd');
    expect(receipt).toMatch(/VAT XX123\s+No VAT is due/);
    expect(receipt).toContain(order.paymentIntent);
  });

  it('goes on with another purchase, a gift, calls, a refund, and a dispute', async () => {
    const first = newestOrder();
    const own = await signedInClient(server.url, ADA);
    await own.submit(BILLING, { credits: '5000', order: crypto.randomUUID() });
    const second = newestOrder();
    await report('checkout.session.completed', sessionObject(second));
    const run = (...args: string[]) => runVerbatim([...args, '--db', server.database]);
    expect((await run('credit', 'add', ADA, '70')).code).toBe(0);
    const ids: string[] = [];
    for (let calls = 0; calls < 3; calls++) {
      const response = await postSearch(server.url, secret);
      expect(response.status).toBe(200);
      ids.push(String(response.headers.get('x-request-id')));
    }
    const settled = () => readLedger().byKind['settle'] !== undefined && countOf('settle');
    const countOf = (kind: string): number =>
      inStore(server.database, (db) =>
        Number(db.prepare('SELECT count(*) FROM ledger_entries WHERE kind = ?').pluck().get(kind)),
      );
    await expect.poll(settled, PATIENT).toBe(3);
    expect((await run('credit', 'refund', String(ids[0]))).code).toBe(0);
    await report('charge.refunded', chargeObject(first, 200));
    await report('charge.dispute.created', disputeObject(second, 'needs_response'));
    expect(readLedger()).toEqual({
      balance: 668,
      byKind: { topup: 6_070, hold: -3, settle: 0, refund: 1, adjust: -5_400 },
    });
  });

  it('has a statement, as a page, CSV, and JSON, that adds up', async () => {
    const own = await signedInClient(server.url, ADA);
    const json = JSON.parse((await own.get(`${path}/statement.json`)).text) as Row[];
    expect(figures(json)).toEqual(EXPECTED);
    const moved = json.filter(({ entries, credits }) => entries && credits);
    const sum = moved.reduce((total, { credits }) => total + (credits ?? 0), 0);
    expect(sum).toBe(readLedger().balance);

    const { text } = await own.get(`${path}/statement.csv`);
    const lines = text.trimEnd().split('\r\n');
    expect(lines[0]).toBe('\uFEFFLine,Entries,Credits,Currency,Amount');
    expect(lines).toContain('Purchases,2,6000,,');
    expect(lines).toContain('Calls,3,-3,,');
    expect(lines).toContain('Closing balance,,668,,');
    expect(lines).toContain('Paid,2,,USD,29.00');
    expect(lines).toHaveLength(json.length + 1);

    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    await page.goto(BILLING);
    const card = page.getByRole('region', { name: 'Statements' });
    expect(await card.locator('tbody tr').innerText()).toMatch(
      /\+6,000\s+\+70\s+−2\s+−5,400\s+668/,
    );
    await card.getByRole('link').first().click();
    await page.waitForURL(`**${path}`);
    const table = await page.getByRole('region', { name: 'Statement' }).innerText();
    expect(table).toMatch(/Disputes\s+1\s+−5,000/);
    expect(table).toMatch(/Closing balance\s+668/);
    expect(table).toMatch(/Paid, less refunds and disputes\s+3\.00 USD/);
    for (const other of ['2019-01', '2026-13', 'x']) {
      expect((await own.get(`${BILLING}/statements/${other}`)).status, other).toBe(404);
    }
  });

  it('has the same payments in their files', async () => {
    const own = await signedInClient(server.url, ADA);
    const json = JSON.parse((await own.get(`${BILLING}/payments.json`)).text) as Record<
      string,
      unknown
    >[];
    const tax = 'VAT XX123 | No VAT is due';
    expect(json).toMatchObject([
      { status: 'Disputed', amount: '24.00', refunded: '0.00', disputed: '24.00', credits: 5_000 },
      { status: 'Partly refunded', amount: '5.00', refunded: '2.00', currency: 'USD', tax },
    ]);
    expect(json[0]?.['paid']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(json.map(({ receipt }) => String(receipt).slice(-4))).toEqual(['0002', '0001']);
    const { text } = await own.get(`${BILLING}/payments.csv`);
    const rows = text.trimEnd().split('\r\n');
    expect(rows).toHaveLength(3);
    expect(rows[1]).toContain(',Disputed,USD,24.00,0.00,24.00,');
  });

  it('is the same for the operator, and the audit finds nothing', async () => {
    const { months, outstanding } = await runJson<{
      months: { credits: unknown; revenue: unknown }[];
      outstanding: unknown;
    }>(['operator', 'money', '--months', '1', '--db', server.database]);
    expect(months[0]).toMatchObject({
      credits: {
        purchase: 6_000,
        gift: 70,
        call: -3,
        refund: 1,
        reversal: -400,
        dispute: -5_000,
        restored: 0,
        forfeited: 0,
      },
      revenue: [{ currency: 'usd', payments: 2, amount: 2_900, refunded: 200, disputed: 2_400 }],
    });
    expect(outstanding).toMatchObject({ credits: 668, debt: 0, held: 0 });
    const { text } = await createClient(server.service.operatorUrl).get('/operator/money');
    const words = text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(words).toContain('Revenue this month $3.00 2 payments, less refunds and disputes');
    expect(words).toContain('Purchased this month 6,000 credits, and 70 given');
    expect(words).toContain(' 2 $29.00 $2.00 $24.00 $3.00 ');
    const audit = await runJson<{ differences: string[] }>([
      ...['credit', 'audit', '--db', server.database],
    ]);
    expect(audit.differences).toEqual([]);
  });
});
