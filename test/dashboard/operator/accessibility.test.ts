/** The operator's pages by the rules of axe, by keyboard and without script. */
import { describe, expect, it } from 'vitest';
import { CUSTOMER, fillPages } from '../../support/all-pages.ts';
import { expectAccessible } from '../../support/axe.ts';
import { useBrowser } from '../../support/browser.ts';
import { useServer } from '../../support/pages.ts';
import { PATIENT } from '../../support/patient.ts';
import { runJson } from '../../support/verbatim.ts';

const known = { id: 0, prefix: '', givenPath: '' };
const server = useServer(
  async (database) => {
    await fillPages(database);
    const [customer] = await runJson<{ id: number }[]>(['customer', 'list', '--db', database]);
    const [key] = await runJson<{ prefix: string }[]>(['key', 'list', '--db', database]);
    Object.assign(known, { id: customer?.id, prefix: key?.prefix });
    await runJson(['credit', 'add', CUSTOMER, '5', '--note', 'a gift', '--db', database]);
    const [gift] = await runJson<{ id: number; customerId: number }[]>([
      ...['credit', 'ledger', CUSTOMER, '--limit', '1', '--db', database],
    ]);
    known.givenPath = `/operator/customers/${gift?.customerId}/credit/${gift?.id}`;
  },
  { VERBATIM_OPERATOR: 'true' },
);
const browser = useBrowser();

const paths = (): string[] => [
  ...[
    '/operator',
    '/operator/nothing',
    '/operator/customers',
    '/operator/trail',
    '/operator/explain',
  ],
  ...['/operator/money', '/operator/money/audits', '/operator/questions', '/operator/index'],
  ...['/operator/customers?text=nobody', '/operator/customers?order=color'],
  ...[`/operator/customers/${known.id}`, `/operator/keys/${known.prefix}`],
  ...['/operator/alerts', `/operator/keys/${known.prefix}/revoke`],
  ...[`/operator/customers/${known.id}/disable`, `/operator/customers/${known.id}/refunds`],
  ...[`/operator/customers/${known.id}/refunds?from=x`, known.givenPath],
];

describe('every page of the operator', () => {
  it('passes the checks of axe and fits', async () => {
    const { page } = await browser.visit(server.service.operatorUrl);
    for (const path of paths()) {
      await page.goto(path);
      await expectAccessible(page, path);
    }
    await page.goto('/operator/explain');
    await page.getByLabel('Question').fill('does sleep help memory');
    await page.keyboard.press('Enter');
    await page.getByText('Next best:').first().waitFor();
    await expectAccessible(page, 'the answer of /operator/explain');
  }, 120_000);
});

describe('the page Now', () => {
  it('shows a value of a chart to the keyboard', async () => {
    const { page } = await browser.visit(server.service.operatorUrl);
    await page.goto('/operator');
    const bars = page.locator('#searches-chart-title').locator('..').locator('.day');
    await bars.last().focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => bars.nth(94).locator('.tip').isVisible(), PATIENT).toBe(true);
  });

  it('offers to pause what its script renews', async () => {
    const { page } = await browser.visit(server.service.operatorUrl);
    await page.goto('/operator');
    await page.getByRole('button', { name: 'Pause updates' }).click();
    await page.getByRole('button', { name: 'Update every 5 seconds' }).waitFor();
  });

  it('works without JavaScript', async () => {
    const { page } = await browser.visit(server.service.operatorUrl, { isWithoutScript: true });
    await page.goto('/operator');
    expect(await page.getByRole('button').count()).toBe(0);
    await page.getByText('Show as a table').click();
    expect(await page.getByRole('heading', { name: 'Latency by stage' }).isVisible()).toBe(true);
  });
});

describe('the page of a customer', () => {
  it('adds credit and makes a link by keyboard alone, without JavaScript', async () => {
    const { page } = await browser.visit(server.service.operatorUrl, { isWithoutScript: true });
    await page.goto(`/operator/customers/${known.id}`);
    await page.getByLabel('Credits').focus();
    await page.keyboard.type('12');
    await page.keyboard.press('Tab');
    await page.keyboard.type('from the test');
    await page.keyboard.press('Enter');
    await page.getByText('The credit was added.').waitFor();
    await page.getByRole('button', { name: 'Make a link' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'One-time link' }).waitFor();
    expect(await page.getByText('/dashboard/link?token=').isVisible()).toBe(true);
  });
});
