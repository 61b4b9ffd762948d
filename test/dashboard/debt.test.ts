/** A payment that goes back after its credits were used, as the customer sees it. */
import { describe, expect, it } from 'vitest';
import { createKey } from '../../src/accounts/sql/api-keys.ts';
import { createLedger } from '../../src/accounts/sqlite/ledger/ledger.ts';
import { changeOnSqlite } from '../../src/database/sqlite/run-on-sqlite.ts';
import { addOrder, take } from '../accounts/payments/orders.ts';
import {
  chargeObject,
  disputeObject,
  sessionObject,
  stripeEvent,
} from '../accounts/payments/stripe-stub.ts';
import { useBrowser } from '../support/browser.ts';
import { addSomeone, inStore } from '../support/history.ts';
import { signedInClient, signIn, useServer } from '../support/pages.ts';
import { postSearch } from '../support/service.ts';

const ADA = 'ada@example.org';
const NEW = 'new@example.org';
const USED = 30;

let secret = '';
const server = useServer(async (database) => {
  addSomeone(database, { email: NEW });
  const { customerId } = addSomeone(database, { email: ADA });
  inStore(database, (db) => {
    const orders = [addOrder(db, { customerId }), addOrder(db, { customerId })] as const;
    for (const order of orders) {
      take(db, stripeEvent('checkout.session.completed', sessionObject(order)));
    }
    const now = Date.now();
    const caps = { requestsPerMinute: null, inFlightMax: null };
    const created = changeOnSqlite(db, createKey({ customerId, name: 'Agent', ...caps, now }));
    secret = created.secret;
    const ledger = createLedger(db);
    for (let n = 0; n < USED; n++) {
      const requestId = crypto.randomUUID();
      ledger.hold({ requestId, customerId, keyId: created.key.id, credits: 1, now });
      ledger.settle(requestId, now);
    }
    const [refunded, disputed] = orders;
    const dispute = (type: string, status: string): void => {
      take(db, stripeEvent(`charge.dispute.${type}`, disputeObject(disputed, status)));
    };
    dispute('created', 'needs_response');
    dispute('closed', 'won');
    for (const order of [disputed, refunded]) {
      take(db, stripeEvent('charge.refunded', chargeObject(order, order.amount)));
    }
  });
});
const browser = useBrowser();

describe('a debt', () => {
  it('is shown on the overview and the top-up page, and searches return 402', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    const debtNotice = /You owe 30 credits\. A payment was reversed/;
    expect(await page.getByRole('status').textContent()).toMatch(debtNotice);
    expect(await page.locator('.tile').first().textContent()).toBe('Debt30credits owed');
    expect(await page.locator('.chip.low').textContent()).toContain('−30 credits');
    await page.goto('/dashboard/billing');
    expect(await page.getByRole('status').textContent()).toMatch(debtNotice);
    expect(await page.locator('.head').first().textContent()).toContain('30 credits owed');
    expect((await postSearch(server.url, secret)).status).toBe(402);
  });

  it('is in the ledger with its causes', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, ADA);
    await page.goto('/dashboard/accounting?kind=payments');
    const cells = await page
      .locator('tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) =>
          ['Entry', 'Credits', 'Balance'].map(
            (label) => row.querySelector(`[data-label=${label}]`)?.textContent,
          ),
        ),
      );
    expect(cells).toEqual([
      ['Reversal', '−1,000', '−30'],
      ['Reversal', '−1,000', '970'],
      ['Restored', '+1,000', '1,970'],
      ['Dispute', '−1,000', '970'],
      ['Purchase', '+1,000', '2,000'],
      ['Purchase', '+1,000', '1,000'],
    ]);
    const { text } = await (await signedInClient(server.url, ADA)).get(
      '/dashboard/accounting.csv?kind=payments',
    );
    const lines = text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(7);
    expect(lines[1]).toMatch(
      /,Reversal,-1000,-30,,,,,cs_test_order_\d:1,"refunded, payment \d, evt_\d+"$/,
    );
    expect(lines[3]).toMatch(
      /,Restored,1000,1970,,,,,cs_test_order_\d:2:dispute,"no longer disputed, payment \d, evt_\d+"$/,
    );
  });
});

describe('no credit', () => {
  it('is shown to a new customer without mentioning a debt', async () => {
    const { page } = await browser.visit(server.url);
    await signIn(page, NEW);
    const steps = page.getByRole('region', { name: 'Get started' });
    expect(await steps.getByRole('listitem').first().innerText()).toMatch(
      /^Get credit\s+A search costs one credit\. Top up$/,
    );
    expect(await page.getByRole('main').innerText()).not.toMatch(/debt|owe|−/);
  });
});
