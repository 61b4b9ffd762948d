/** The page Money: what it adds up, what it says of payments, and audits at the press of a button. */
import { expect, it } from 'vitest';
import type { PaymentEvent } from '../../../src/accounts/sql/payment-decisions.ts';
import { recordReconciled } from '../../../src/accounts/sql/payment-events.ts';
import { changeOnSqlite } from '../../../src/database/sqlite/run-on-sqlite.ts';
import { addOrder } from '../../accounts/payments/orders.ts';
import { useBrowser } from '../../support/browser.ts';
import { addKey, addReturned, addSearches, addSomeone, inStore } from '../../support/history.ts';
import { withLimits } from '../../support/limits.ts';
import { type Client, createClient, useServer } from '../../support/pages.ts';
import { PATIENT } from '../../support/patient.ts';
import { runCommand, runJson } from '../../support/verbatim.ts';

const PATH = '/operator/money';
const AUDITS = `${PATH}/audits`;
const ADA = 'ada@example.org';
const ids = { ada: 0 };

const server = useServer(
  async (database) => {
    const { customerId } = addSomeone(database, { email: ADA, credits: 50 });
    ids.ada = customerId;
    const { key } = addKey(database, customerId, 'Notebook');
    addSearches(database, { customerId, keyId: key.id }, { days: 1, countOf: () => 4 });
    addReturned(database, { customerId, keyId: key.id });
    const now = Date.now();
    inStore(database, (db) => {
      const { session, orderId, paymentIntent, amount, currency } = addOrder(db, { customerId });
      const money = { paymentIntent, amount, currency, createdAt: now };
      const events: PaymentEvent[] = [
        { kind: 'session', id: 'evt_1', session, orderId, state: 'paid', ...money },
        { kind: 'dispute', id: 'evt_2', dispute: 'du_7', takesBack: true, ...money },
        { kind: 'refund', id: 'evt_3', refund: 're_7', hasFailed: true, ...money },
        {
          kind: 'dispute',
          id: 'evt_4',
          dispute: 'du_8',
          takesBack: true,
          ...money,
          currency: 'eur',
        },
      ];
      changeOnSqlite(db, recordReconciled({ events, now }));
    });
  },
  { VERBATIM_OPERATOR: 'true', ...withLimits({ auditDifferencesMax: 1 }) },
);
const browser = useBrowser();

const operator = (): Client => createClient(server.service.operatorUrl);
const moneyPage = async (): Promise<string> => (await operator().get(PATH)).text;

async function audit(): Promise<void> {
  const client = operator();
  const got = await client.post(AUDITS, await client.hidden(PATH));
  expect([got.status, got.headers.location]).toEqual([303, AUDITS]);
  await expect.poll(moneyPage, PATIENT).toContain('Audit now');
}

const keptAudits = (): unknown =>
  inStore(server.database, (db) => db.prepare('SELECT count(*) FROM ledger_audits').pluck().get());

it('adds up what was paid and spent', async () => {
  const text = (await moneyPage()).replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  expect(text).toContain('Revenue this month $0.00 1 payment, less refunds and disputes');
  expect(text).toContain('Purchased this month 1,000 credits, and 50 given');
  expect(text).toContain('Used this month 5 credits, and 1 refunded');
  expect(text).toContain('Customer balances 46 credits, 1 customer');
  const month = new Intl.DateTimeFormat('en-US', {
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const thisMonth = month.format(Date.now());
  expect(text).toContain(`${thisMonth} 1 $5.00 – $5.00 $0.00`);
  expect(text).toContain(`${thisMonth} +1,000 +50 −5 +1 – −1,000 –`);
});

it('leads from a payment to its customer, and to Stripe', async () => {
  const text = await moneyPage();
  const rows = text.split('<tr>').filter((row) => row.includes('dashboard.stripe.com'));
  expect(rows).toHaveLength(4);
  for (const row of rows) expect(row).toContain(`href="/operator/customers/${ids.ada}"`);
  expect(text).toContain('https://dashboard.stripe.com/disputes/du_7');
  expect(text).toContain('disputed in eur, paid in usd');
  expect(text).toContain('re_7');
});

it('audits, and keeps what was found', async () => {
  expect(await moneyPage()).not.toContain('adds up.');
  await audit();
  const text = await moneyPage();
  expect(text).toContain('Everything adds up.');
  expect(text).toContain('started by loopback');
  const [action] = await runJson<{ action: string; actor: string }[]>([
    ...['operator', 'trail', '--db', server.database],
  ]);
  expect(action).toMatchObject({ action: 'credit audit', actor: 'loopback' });
});

it('audits once for a form that is sent again', async () => {
  const client = operator();
  const fields = await client.hidden(PATH);
  const before = Number(keptAudits());
  const sent = await Promise.all([1, 2, 3].map(() => client.post(AUDITS, fields)));
  const places = sent.map(({ headers }) => headers.location).sort();
  expect(places).toEqual([AUDITS, `${AUDITS}?done=repeated`, `${AUDITS}?done=repeated`]);
  await expect.poll(keptAudits, PATIENT).toBe(before + 1);
  const again = await client.post(AUDITS, fields);
  expect(again.headers.location).toBe(`${AUDITS}?done=repeated`);
});

it('shows what does not add up, in a browser without JavaScript, and in one with it', async () => {
  inStore(server.database, (db) => db.prepare('UPDATE customers SET balance = balance + 1').run());
  try {
    const { page } = await browser.visit(server.service.operatorUrl, { isWithoutScript: true });
    await page.goto(PATH);
    await page.getByRole('button', { name: 'Audit now' }).click();
    // A page that is loaded again at once would cancel the form.
    await page.waitForURL(`**${AUDITS}`);
    await expect
      .poll(async () => {
        await page.reload();
        return await page.getByText('the entries add up to').count();
      }, PATIENT)
      .toBe(1);
    const report = await runCommand(['credit', 'audit', '--json', '--db', server.database], {
      code: 1,
    });
    const { differences } = JSON.parse(report.stdout) as { differences: string[] };
    expect(await page.getByText(differences[0] ?? '-').count()).toBe(1);
    const more = await page.getByText('verbatim credit audit lists all').count();
    expect(more).toBe(differences.length > 1 ? 1 : 0);
  } finally {
    inStore(server.database, (db) =>
      db.prepare('UPDATE customers SET balance = balance - 1').run(),
    );
  }
  const { page } = await browser.visit(server.service.operatorUrl);
  await page.goto(PATH);
  await page.getByRole('button', { name: 'Audit now' }).press('Enter');
  await page.waitForURL(`**${AUDITS}`);
  await page.getByText('Everything adds up.').waitFor();
});

it('says the same on the command line', async () => {
  const args = ['operator', 'money', '--db', server.database];
  const { months, days, outstanding, toLookAt } = await runJson<{
    months: { revenue: unknown[] }[];
    days: unknown[];
    outstanding: unknown;
    toLookAt: { disputes: unknown[] };
  }>([...args, '--months', '2', '--days', '3']);
  expect([months.length, days.length, toLookAt.disputes.length]).toEqual([2, 3, 2]);
  expect(months[1]).toMatchObject({
    credits: { purchase: 1_000, gift: 50, call: -5, refund: 1, dispute: -1_000 },
    revenue: [{ currency: 'usd', payments: 1, amount: 500, refunded: 0, disputed: 500 }],
  });
  expect(outstanding).toMatchObject({ customers: 1, credits: 46, debt: 0, held: 0 });
  const { stdout } = await runCommand([...args, '--months', '1', '--days', '1']);
  expect(stdout).toContain('1 customer with 46 credits');
  expect(stdout).toMatch(/^dispute du_7 of payment 1: \$5\.00, open or lost$/m);
  expect(stdout).toMatch(/^refund re_7 of payment 1: \$5\.00, failed/m);
});
