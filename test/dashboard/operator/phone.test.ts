/** A long table and its filters on a telephone, without JavaScript. */
import { describe, expect, it } from 'vitest';
import { useBrowser } from '../../support/browser.ts';
import { addSomeone } from '../../support/history.ts';
import { useServer } from '../../support/pages.ts';

const CUSTOMERS = 50;
/** Two lines of text in each row, and what else is on the page. */
const HEIGHT_MAX = CUSTOMERS * 54 + 1_200;

const server = useServer(
  async (database) => {
    for (let number = 1; number <= CUSTOMERS; number++) {
      addSomeone(database, { email: `customer-${number}@startup.example`, credits: number });
    }
  },
  { VERBATIM_OPERATOR: 'true' },
);
const browser = useBrowser();

describe('a table of 50 rows on a telephone', () => {
  it('has two lines a row, and scrolls under its first column', async () => {
    const look = { isPhone: true, isWithoutScript: true };
    const { page } = await browser.visit(server.service.operatorUrl, look);
    await page.goto('/operator/customers');
    expect(await page.locator('tbody tr').count()).toBe(CUSTOMERS);
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(HEIGHT_MAX);
    const name = page.locator('tbody th').first();
    const last = page.locator('tbody tr').first().locator('td').last();
    const before = await name.boundingBox();
    await page.locator('.table').evaluate((table) => {
      table.scrollLeft = table.scrollWidth;
    });
    expect((await name.boundingBox())?.x).toBe(before?.x);
    const { x = 0, width = 0 } = (await last.boundingBox()) ?? {};
    expect(x + width).toBeLessThanOrEqual(360);
  });

  it('breaks an address only before its @', async () => {
    const { page } = await browser.visit(server.service.operatorUrl, { isPhone: true });
    await page.goto('/operator/customers');
    const lines = (await page.evaluate(`(() => {
      const range = document.createRange();
      return [...document.querySelector('tbody th a').childNodes].map((part) => {
        range.selectNodeContents(part);
        return range.getClientRects().length;
      });
    })()`)) as number[];
    expect(Math.max(...lines)).toBe(1);
  });

  it('folds its filters, which a button opens', async () => {
    const look = { isPhone: true, isWithoutScript: true };
    const { page } = await browser.visit(server.service.operatorUrl, look);
    await page.goto('/operator/customers');
    expect(await page.getByLabel('Address or name').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Address or name').fill('customer-17@');
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.waitForURL('**text=customer-17**');
    expect(await page.locator('tbody tr').count()).toBe(1);
  });
});
